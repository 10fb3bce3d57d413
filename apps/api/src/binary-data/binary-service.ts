import { type BinaryStore, isBinaryId } from '@sluice/binary-store';
import type { BinaryRepository } from '@sluice/db';
import { isAppError, NotFoundError } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { Caller } from '../auth/caller.ts';
import { etagOf } from '../http/headers/etag.ts';
import type { SentFile } from '../http/response/send-file.ts';

interface BinaryServiceOptions {
  binaries: BinaryRepository;
  store: BinaryStore;
  logger: Logger;
}

/** Serves the files of executions to users who may see such an execution (Contract 4.11). */
export class BinaryService {
  readonly #options: BinaryServiceOptions;

  constructor(options: BinaryServiceOptions) {
    this.#options = options;
  }

  async find(id: string, caller: Caller): Promise<SentFile> {
    if (!isBinaryId(id)) throw new NotFoundError('a file with this ID does not exist');
    const { mimeType, fileName, size } = await this.#options.binaries.get(id, caller.access['project:viewer']);
    return { etag: etagOf(id), contentType: mimeType, fileName, size, open: (range) => this.#open(id, range) };
  }

  async #open(...[id, range]: Parameters<BinaryStore['open']>): ReturnType<BinaryStore['open']> {
    const { store, logger } = this.#options;
    try {
      return await store.open(id, range);
    } catch (error) {
      if (!isAppError(error) || error.code !== 'BINARY_NOT_FOUND') throw error;
      logger.error({ binaryId: id }, 'the bytes of a file are missing from the storage');
      throw new NotFoundError(`the bytes of file ${id} are missing from the storage`);
    }
  }
}
