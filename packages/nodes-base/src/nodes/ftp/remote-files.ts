import type { Readable } from 'node:stream';
import type { EntryBudget } from './entry-budget.ts';

/**
 * A folder entry as shown in items, with the attributes that the server reports. Times are ISO
 * 8601.
 */
export interface RemoteFile {
  /** `-` a file, `d` a folder, `l` a link. */
  type: '-' | 'd' | 'l';
  name: string;
  size?: number;
  modifyTime?: string;
  accessTime?: string;
  /** Any of `rwx` each. */
  rights?: { user: string; group: string; other: string };
  owner?: string | number;
  group?: string | number;
}

/** Files on a server, over FTP or SFTP. Methods reject with the server's message. */
export interface RemoteFiles {
  /** A folder's entries, which count toward the budget. */
  list(path: string, budget: EntryBudget): Promise<RemoteFile[]>;
  /** A file's bytes, as a stream. */
  download(path: string): AsyncIterable<Uint8Array>;
  /** Creates or replaces a file; its folder must exist. */
  upload(path: string, content: Readable): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Removes an empty folder. */
  removeFolder(path: string): Promise<void>;
  /** Creates a folder in an existing one; does nothing if it exists. */
  createFolder(path: string): Promise<void>;
  close(): void;
}

/** `rwx` for the permission bits of one class of users. */
export function rightsOf(bits: number): string {
  return ['r', 'w', 'x'].filter((_, index) => (bits & (4 >> index)) !== 0).join('');
}
