import type { CredentialSession } from '@sluice/credentials';
import type { CredentialUseRepository } from '@sluice/db';
import { errorMessage, repeatedly, type WorkflowId } from '@sluice/domain';
import type { Logger } from '@sluice/logger';

/**
 * Interval of the checks in milliseconds: how long a listener may outlive its right to use a
 * credential.
 */
const checkMs = 2_000;

interface CredentialWatchOptions {
  credentialUses: Pick<CredentialUseRepository, 'findUnusable'>;
  logger: Logger;
}

/** A listener that has opened credentials. */
interface WatchedCredentials {
  workflowId: WorkflowId;
  credentials: Pick<CredentialSession, 'opened' | 'assertUsable'>;
  /** Called with the reason if one of the credentials may no longer be used. */
  refused(error: unknown): void;
}

/**
 * Checks with one statement whether the workflows of this worker's listeners may still use the
 * credentials that they opened. A connection outlives the opening of its credentials, so it has to
 * be closed when a share ends, or after a transfer or a deletion.
 */
export class CredentialWatch {
  readonly #options: CredentialWatchOptions;
  readonly #watched = new Set<WatchedCredentials>();
  readonly #stopping = new AbortController();

  constructor(options: CredentialWatchOptions) {
    this.#options = options;
  }

  start(): void {
    const onError = (error: unknown) => {
      this.#options.logger.debug({ error: errorMessage(error) }, 'the credentials of listeners could not be checked');
    };
    repeatedly(() => this.check(), { pauseMs: checkMs, signal: this.#stopping.signal, onError });
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Watches until the signal is aborted. */
  watch(watched: WatchedCredentials, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#watched.add(watched);
    signal.addEventListener('abort', () => this.#watched.delete(watched), { once: true });
  }

  async check(): Promise<void> {
    const candidates = [...this.#watched].flatMap((watched) =>
      watched.credentials
        .opened()
        .map((subject) => ({ watched, subject, use: { ...subject, workflowId: watched.workflowId } })),
    );
    if (candidates.length === 0) return;
    const refused = await this.#options.credentialUses.findUnusable(candidates.map(({ use }) => use));
    for (const [index, current] of refused) {
      const one = candidates[index];
      if (!one || !this.#watched.has(one.watched)) continue;
      try {
        one.watched.credentials.assertUsable(one.subject, current);
      } catch (error) {
        one.watched.refused(error);
      }
    }
  }
}
