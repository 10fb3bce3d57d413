import { bufferClass } from './buffer.ts';

type Buffer = InstanceType<ReturnType<typeof bufferClass>>;

interface Read extends PromiseWithResolvers<Buffer> {
  fileId: string;
}

/** Files that user code reads. The host reads them one by one, between jobs of the engine. */
export class FileReads {
  readonly #waiting: Read[] = [];

  /** Rejects with the host's reason if the file cannot be read. */
  read(fileId: string): Promise<Buffer> {
    const pendingRead: Read = { ...Promise.withResolvers<Buffer>(), fileId };
    this.#waiting.push(pendingRead);
    return pendingRead.promise;
  }

  /** The id of the next file to read. */
  wanted(): string | undefined {
    return this.#waiting[0]?.fileId;
  }

  /** Completes the read with the content, or with the reason why it is unavailable. */
  end(result: ArrayBuffer | string): void {
    const pendingRead = this.#waiting.shift();
    if (typeof result === 'string') pendingRead?.reject(new Error(result));
    else pendingRead?.resolve(bufferClass().from(result));
  }
}
