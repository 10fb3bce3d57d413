import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fstatSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SettingName } from '@sluice/config';
import { findFreePort, makeRuntimeDirectory } from '@sluice/embedded';
import { builtCommand, compileCache, eventually, testMasterKey } from '@sluice/test-support';
import { copyMigratedPostgres } from './support/migrated-home.ts';

const readyTimeoutMs = 180_000;
const stopTimeoutMs = 120_000;

export type Settings = Partial<Record<SettingName | 'NODE_OPTIONS', string>>;

/** A running process of the service. */
export interface RunningProcess {
  pid: number;
  /** Base URL of `/healthz` and `/readyz`; for an API, also of `/api/v1`. */
  url: string;
  /** Its output so far. */
  output(): string;
  signal(name: NodeJS.Signals): void;
  /** Resolves when the process has exited. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Sends SIGTERM, then SIGKILL if the process does not exit in time. Safe to repeat. */
  stop(): Promise<void>;
  /** Sends SIGKILL and waits until the process has exited. */
  kill(): Promise<void>;
}

/** A whole service: `sluice up` with its own Postgres, Redis, API, and workers. */
export interface RunningService extends RunningProcess {
  home: string;
  apiKey: string;
  /** Sends a request to `/api/v1<path>` with the key; a given body is sent as JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  /** URL of its own Postgres; like its Redis, it may listen on a socket. */
  databaseUrl: string;
  redisUrl: string;
  /** PID of the API or a worker, by the name of its log: `api`, `worker-1`. */
  pidOf(name: string): number;
  /** Stops it and removes its home. */
  dispose(): Promise<void>;
}

export interface ApiResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests access responses of any shape
  body: any;
  headers: Headers;
}

/**
 * Starts `sluice up` and waits until it is ready. Default home: a new one with a migrated database.
 */
export async function startService({
  home,
  settings = {},
}: {
  home?: string;
  settings?: Settings;
} = {}): Promise<RunningService> {
  const directory = home ?? (settings.DATABASE_URL === undefined ? await migratedHome() : await newHome());
  const apiKey = settings.BOOTSTRAP_API_KEY ?? `test-key-${randomBytes(12).toString('hex')}`;
  const port = settings.PORT ?? String(await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  const started = startProcess('up', url, {
    SLUICE_HOME: directory,
    BOOTSTRAP_API_KEY: apiKey,
    RATE_LIMIT_MAX: '1000000',
    ...settings,
    PORT: port,
  });
  await untilOutput(started, 'Sluice is ready');
  const runtimeDir = await makeRuntimeDirectory(directory);
  return {
    ...started,
    home: directory,
    apiKey,
    call: (method, path, body, headers) => callApi(url, apiKey, { method, path, body, headers }),
    databaseUrl:
      settings.DATABASE_URL ?? `postgresql://sluice@/sluice?host=${encodeURIComponent(join(runtimeDir, 'postgres'))}`,
    redisUrl: settings.REDIS_URL ?? `unix://${join(runtimeDir, 'redis.sock')}`,
    pidOf: (name) => pidInLog(join(directory, 'logs', `${name}.log`)),
    async dispose() {
      await started.stop();
      await rm(runtimeDir, { recursive: true, force: true });
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** An empty directory, in which `sluice up` creates everything. */
export async function newHome(): Promise<string> {
  return await mkdtemp(join(tmpdir(), 'sluice-e2e-'));
}

/** A directory with a migrated database. */
export async function migratedHome(): Promise<string> {
  const home = await newHome();
  await copyMigratedPostgres(join(home, 'postgres'));
  return home;
}

/** Starts one API and waits until it is ready. */
export async function startApi(settings: Settings, program = [builtCommand]): Promise<RunningProcess> {
  const port = settings.PORT ?? String(await findFreePort());
  return startReady({ command: 'api', program }, { RATE_LIMIT_MAX: '1000000', ...settings, PORT: port }, port);
}

/** Starts one worker and waits until it is ready. */
export async function startWorker(settings: Settings, program = [builtCommand]): Promise<RunningProcess> {
  const port = settings.WORKER_PORT ?? String(await findFreePort());
  return startReady({ command: 'worker', program }, { ...settings, WORKER_PORT: port }, port);
}

async function startReady(
  { command, program }: { command: string; program: string[] },
  settings: Settings,
  port: string,
): Promise<RunningProcess> {
  const started = startProcess(command, `http://127.0.0.1:${port}`, settings, program);
  try {
    await unlessExited(
      started,
      eventually(() => isReady(started.url), { timeoutMs: readyTimeoutMs }),
    );
  } catch (error) {
    await started.stop();
    throw new Error(`${command} did not become ready: ${started.output()}`, { cause: error });
  }
  return started;
}

/** Sends one request to the public API. */
export async function callApi(
  url: string,
  apiKey: string,
  {
    method,
    path,
    body,
    headers = {},
  }: { method: string; path: string; body?: unknown; headers?: Record<string, string> | undefined },
): Promise<ApiResponse> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'x-service-api-key': apiKey, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers };
}

/** Output goes to a file: a pipe would break the child's writes when a test kills the reader. */
export function startProcess(command: string, url: string, settings: Settings, program = [builtCommand]): RunningProcess {
  const log = new UnlinkedFile();
  const child = spawn(process.execPath, [...program, command], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: compileCache,
      ENCRYPTION_KEY: testMasterKey,
      ...settings,
    },
    stdio: ['ignore', log.descriptor, log.descriptor],
  });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  return {
    pid: child.pid ?? 0,
    url,
    output: () => log.text(),
    signal: (name) => void child.kill(name),
    exited,
    stop: () => stopChild(child, exited),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** A file without a name: it disappears when the last process that has it open exits. */
class UnlinkedFile {
  readonly descriptor: number;

  constructor() {
    const directory = mkdtempSync(join(tmpdir(), 'sluice-e2e-log-'));
    this.descriptor = openSync(join(directory, 'log'), 'a+');
    rmSync(directory, { recursive: true });
  }

  /** Reads from the start: all processes with the descriptor share its position. */
  text(): string {
    const bytes = Buffer.alloc(fstatSync(this.descriptor).size);
    return bytes.toString('utf8', 0, readSync(this.descriptor, bytes, 0, bytes.length, 0));
  }
}

async function stopChild(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await exited;
  clearTimeout(timer);
}

async function untilOutput(started: RunningProcess, text: string): Promise<void> {
  try {
    await unlessExited(
      started,
      eventually(() => started.output().includes(text), { timeoutMs: readyTimeoutMs }),
    );
  } catch (error) {
    await started.stop();
    throw new Error(`the service did not become ready: ${started.output()}`, { cause: error });
  }
}

function unlessExited<T>(started: RunningProcess, waiting: Promise<T>): Promise<T> {
  const ended = started.exited.then(({ code, signal }) => {
    throw new Error(`it exited with ${signal ?? code}`);
  });
  return Promise.race([waiting, ended]);
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status === 200;
}

/** Reads the PID from the last log line: the process may have been restarted. */
function pidInLog(file: string): number {
  const line = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .findLast((text) => text.startsWith('{'));
  return Number((JSON.parse(line ?? '{}') as { pid?: number }).pid);
}
