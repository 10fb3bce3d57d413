import { writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '@sluice/domain';
import { processIdentity } from '@sluice/embedded';

const pollMs = 50;
/** Maximum wait for killed processes to exit; until then they hold their ports. */
const killedMs = 5_000;

/**
 * The processes that a `sluice up` has started. The record is on disk, so that the next `sluice up`
 * can stop them if this one is killed.
 */
export class ChildRecord {
  readonly #file: string;
  readonly #identities = new Map<number, string>();

  constructor(home: string) {
    this.#file = join(home, 'children.json');
  }

  async add(pid: number): Promise<void> {
    const identity = await processIdentity(pid);
    if (identity === undefined) return;
    this.#identities.set(pid, identity);
    this.#save();
  }

  async remove(pid: number): Promise<void> {
    if (this.#identities.delete(pid)) this.#save();
  }

  /**
   * Waits for the processes of an earlier `sluice up`, which stop by themselves once their parent
   * has exited. Then kills the rest.
   */
  async endLeftovers(timeoutMs: number, onWait: () => void): Promise<void> {
    const leftovers = await stillRunning(await this.#load());
    if (leftovers.length > 0) {
      onWait();
      await endAll(leftovers, timeoutMs);
    }
    await rm(this.#file, { force: true });
  }

  async #load(): Promise<string[]> {
    try {
      const content: unknown = JSON.parse(await readFile(this.#file, 'utf8'));
      return Array.isArray(content) ? content.filter((identity) => typeof identity === 'string') : [];
    } catch {
      return [];
    }
  }

  /** Synchronous, so that writes do not interleave. */
  #save(): void {
    writeFileSync(this.#file, JSON.stringify([...this.#identities.values()]), { mode: 0o600 });
  }
}

async function stillRunning(identities: readonly string[]): Promise<string[]> {
  const current = await Promise.all(identities.map((identity) => processIdentity(Number.parseInt(identity, 10))));
  return identities.filter((identity, index) => current[index] === identity);
}

async function endAll(identities: readonly string[], timeoutMs: number): Promise<void> {
  const survivors = await untilGone(identities, timeoutMs);
  for (const identity of survivors) kill(Number.parseInt(identity, 10));
  await untilGone(survivors, killedMs);
}

/** Waits until the processes have exited; resolves to those that run after `timeoutMs`. */
async function untilGone(identities: readonly string[], timeoutMs: number): Promise<readonly string[]> {
  const deadline = performance.now() + timeoutMs;
  let remaining = identities;
  while (remaining.length > 0 && performance.now() < deadline) {
    await delay(pollMs);
    remaining = await stillRunning(remaining);
  }
  return remaining;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error; // ESRCH: it has already exited
  }
}
