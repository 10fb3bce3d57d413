import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { printable } from '../terminal.ts';

/** A larger log is moved to `<file>.1`. */
const trimBytes = 20 * 1024 * 1024;
const chunkBytes = 64 * 1024;
const pollMs = 250;

/** At startup, renames a large log to `<file>.1`, which replaces an older one. */
export function rotateLog(file: string): void {
  if (existsSync(file) && statSync(file).size > trimBytes) renameSync(file, `${file}.1`);
}

/**
 * Reports warnings, errors, and lines that are not JSON (such as the stack of an uncaught error) as
 * they are appended to a log file. The child process writes to a file instead of a pipe, so that it
 * can continue if this process is killed. A large file is therefore copied to `<file>.1` and
 * truncated in place.
 */
export class LogTail {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #decoder = new StringDecoder();
  readonly #onNotice: (notice: Notice) => void;
  readonly #timer: NodeJS.Timeout;
  #offset: number;
  #rest = '';
  #trimAt = trimBytes;

  constructor(file: string, onNotice: (notice: Notice) => void) {
    this.#file = file;
    this.#descriptor = openSync(file, 'a+', 0o600);
    this.#offset = fstatSync(this.#descriptor).size;
    this.#onNotice = onNotice;
    this.#timer = setInterval(() => this.read(), pollMs).unref();
  }

  /** Reads the remaining lines first. */
  close(): void {
    clearInterval(this.#timer);
    this.read();
    closeSync(this.#descriptor);
  }

  /** Reads the lines appended so far, without waiting for the next poll. */
  read(): void {
    this.#readToEnd();
    if (this.#offset > this.#trimAt) this.#trim();
  }

  #trim(): void {
    try {
      copyFileSync(this.#file, `${this.#file}.1`);
      this.#readToEnd(); // lines that were written during the copy
      ftruncateSync(this.#descriptor);
      this.#offset = 0;
      this.#trimAt = trimBytes;
    } catch {
      this.#trimAt = this.#offset + trimBytes; // for example, the disk is full
    }
  }

  #readToEnd(): void {
    if (fstatSync(this.#descriptor).size < this.#offset) this.#offset = 0; // another program has truncated it
    const buffer = Buffer.alloc(chunkBytes);
    for (;;) {
      const length = readSync(this.#descriptor, buffer, 0, chunkBytes, this.#offset);
      if (length === 0) return;
      this.#offset += length;
      const lines = (this.#rest + this.#decoder.write(buffer.subarray(0, length))).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#inspect(line);
    }
  }

  #inspect(line: string): void {
    const notice = noticeOf(line);
    if (notice !== undefined) this.#onNotice(notice);
  }
}

/** A log line to show to users. */
export interface Notice {
  level: 'warn' | 'error';
  text: string;
  /**
   * Whether it concerns a node package: every process logs the same notice, and users need it even
   * before all are ready.
   */
  ofPackage?: true;
}

/** A log line as a notice with subject and reason; `undefined` if users need not see it. */
export function noticeOf(line: string): Notice | undefined {
  if (line.trim() === '') return undefined;
  const level = /"level":"(warn|error|fatal)"/.exec(line)?.[1];
  if (line.startsWith('{') && level === undefined) return undefined;
  try {
    const fields = JSON.parse(line) as LineFields;
    const subjects = subjectsOf(fields);
    const about = subjects.length > 0 ? ` (${subjects.join(', ')})` : '';
    const reason = fields.err?.message ?? fields.error ?? fields.reason;
    const text = printable([`${level}: ${fields.msg}${about}`, reason].filter((part) => typeof part === 'string').join(': '));
    return { level: level === 'warn' ? 'warn' : 'error', text, ...(fields.package !== undefined && { ofPackage: true }) };
  } catch {
    return { level: 'error', text: printable(line) };
  }
}

interface LineFields {
  msg?: string;
  err?: { message?: string };
  error?: unknown;
  reason?: unknown;
  executionId?: string;
  executionIds?: readonly string[];
  workflowId?: string;
  nodeName?: string;
  package?: string;
  status?: string;
}

const maxIds = 10;

function subjectsOf(fields: LineFields): string[] {
  const { executionId, executionIds = [], workflowId, nodeName, status } = fields;
  const ids = executionId === undefined ? executionIds : [executionId];
  const more = ids.length > maxIds ? ` and ${ids.length - maxIds} more` : '';
  return [
    ids.length > 0 ? `${ids.length > 1 ? 'executions' : 'execution'} ${ids.slice(0, maxIds).join(', ')}${more}` : '',
    workflowId === undefined ? '' : `workflow ${workflowId}`,
    nodeName === undefined ? '' : `node "${nodeName}"`,
    fields.package === undefined ? '' : `package ${fields.package}`,
    status === undefined ? '' : `status ${status}`,
  ].filter((subject) => subject !== '');
}
