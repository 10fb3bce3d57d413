import type { Readable } from 'node:stream';

/** An entry of a folder, as items show it. Instants are ISO 8601, absent where the server does not say. */
export interface RemoteFile {
  /** `-` a file, `d` a folder, `l` a link. */
  type: '-' | 'd' | 'l';
  name: string;
  size: number;
  modifyTime?: string;
  accessTime?: string;
  /** Letters out of `rwx` each. */
  rights?: { user: string; group: string; other: string };
  owner?: string | number;
  group?: string | number;
}

/** The files of a server, over FTP or SFTP alike. Whatever the server refuses rejects with its words. */
export interface RemoteFiles {
  list(path: string): Promise<RemoteFile[]>;
  /** The bytes of a file, as they arrive. */
  download(path: string): AsyncIterable<Uint8Array>;
  /** Puts a file in the place of what was there; its folder must exist. */
  upload(path: string, content: Readable): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** A folder with nothing in it. */
  removeFolder(path: string): Promise<void>;
  /** A folder in one that exists; one that is there already is left alone. */
  createFolder(path: string): Promise<void>;
  close(): void;
}

/** `rwx` of the bits of one class. */
export function rightsOf(bits: number): string {
  return ['r', 'w', 'x'].filter((_, index) => (bits & (4 >> index)) !== 0).join('');
}
