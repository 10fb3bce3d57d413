import { matchesGlob } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { AppError, type FileAccess } from '@sluice/node-sdk';

/** Machine files in memory below `/files`, for node tests. Written files appear in `contents`. */
export function memoryFiles(contents: Map<string, string>): FileAccess {
  const read = (path: string): string => {
    if (!path.startsWith('/files/')) throw new AppError({ code: 'FILE_NOT_ALLOWED', message: `${path} is outside` });
    const content = contents.get(path);
    if (content === undefined) throw new AppError({ code: 'FILE_NOT_FOUND', message: `file ${path} does not exist` });
    return content;
  };
  return {
    async list(pattern) {
      const plain = pattern.replace(/\\(.)/g, '$1');
      if (!/(?<!\\)[*?{[]/.test(pattern)) {
        read(plain);
        return [plain];
      }
      return [...contents.keys()].filter((path) => matchesGlob(path, pattern)).sort();
    },
    async open(path) {
      const bytes = Buffer.from(read(path));
      return (async function* () {
        yield bytes;
      })();
    },
    async write(path, content, { append = false } = {}) {
      const bytes = content instanceof Uint8Array ? content : await buffer(content);
      const added = await text(Readable.from([bytes]));
      contents.set(path, append ? (contents.get(path) ?? '') + added : added);
    },
  };
}
