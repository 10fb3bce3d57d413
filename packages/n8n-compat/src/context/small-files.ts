import type { BinaryReference, ExecuteContext } from '@sluice/node-sdk';

/** Maximum size of a provided file. */
const maxFileBytes = 1024 * 1024;
/** Maximum total size of a run's provided files. */
const maxRunBytes = 16 * 1024 * 1024;

/** Small files of a run's items, as base64: older packages read them from the item itself. */
export class SmallFiles {
  readonly #data = new Map<string, string>();

  /** Reads the small files of the first input. */
  static async of({ binary, items }: Pick<ExecuteContext, 'binary' | 'items'>): Promise<SmallFiles> {
    const smallFiles = new SmallFiles();
    const files = items().flatMap((item) => Object.values(item.binary ?? {}));
    let total = 0;
    for (const file of files) {
      if (!isSmall(file) || smallFiles.#data.has(file.id) || total + (file.fileSize ?? 0) > maxRunBytes) continue;
      total += file.fileSize ?? 0;
      smallFiles.#data.set(file.id, Buffer.from(await binary.read(file, maxFileBytes)).toString('base64'));
    }
    return smallFiles;
  }

  dataOf(id: string): string | undefined {
    return this.#data.get(id);
  }
}

function isSmall({ fileSize }: BinaryReference): boolean {
  return fileSize !== undefined && fileSize <= maxFileBytes;
}
