import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '@sluice/embedded';

const sizeMb = 512;
const chunk = Buffer.alloc(2 ** 20);

/** A small in-memory file system that can be filled. Only root can mount it. */
export class SmallDisk {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Resolves to `undefined` if it cannot be mounted. */
  static async mount(path: string): Promise<SmallDisk | undefined> {
    await mkdir(path);
    try {
      await runCommand('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0755`, 'sluice-chaos', path]);
      return new SmallDisk(path);
    } catch {
      return undefined;
    }
  }

  /** Fills it completely. */
  async fill(): Promise<void> {
    const file = await open(this.#ballast, 'w');
    try {
      for (;;) await file.write(chunk);
    } catch {
      // no space left
    } finally {
      await file.close();
    }
  }

  async empty(): Promise<void> {
    await rm(this.#ballast, { force: true });
  }

  async unmount(): Promise<void> {
    await runCommand('umount', [this.path]);
  }

  get #ballast(): string {
    return join(this.path, 'ballast');
  }
}
