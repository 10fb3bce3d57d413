import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort, type Launcher, type ServerProcess, startServer, unprivilegedLauncher } from '@sluice/embedded';

/** A server on the loopback interface that accepts `ann`. */
export interface TestServer {
  host: '127.0.0.1';
  port: number;
  /** Kills the process, as a crash does. */
  kill(): Promise<void>;
  /** Stops the process and removes its files. */
  close(): Promise<void>;
}

/** Resources and privileges of a server process. */
export interface ServerPlace {
  port: number;
  /** Temporary directory that the server may write to. */
  home: string;
  /** Starts the process without root privileges. */
  launcher: Launcher;
}

interface ServerProgram {
  file: string;
  args: readonly string[];
  env: Record<string, string>;
  /**
   * For programs with fixed paths or child daemons: runs in a PID namespace, which ends as a whole,
   * with the unpacked tree `root` overlaid on `/usr`. Its user is 65534.
   */
  namespace?: { root?: string | undefined };
}

const startTimeoutMs = 60_000;

/**
 * Starts a server as an unprivileged process that exits with this one. `prepare` writes its files
 * and returns the command. Default port: a free port.
 */
export async function runServer(
  name: string,
  prepare: (place: ServerPlace) => Promise<ServerProgram>,
  fixedPort?: number,
): Promise<TestServer> {
  const base = await mkdtemp(join(tmpdir(), `sluice-${name}-`));
  const home = join(base, 'home');
  const remove = () => rm(base, { recursive: true, force: true, maxRetries: 10 });
  try {
    await mkdir(home);
    const launcher = await unprivilegedLauncher();
    const port = fixedPort ?? (await findFreePort());
    const program = await prepare({ port, home, launcher });
    await launcher.own(home);
    const logFile = join(base, 'log');
    const { file, args } = launched(launcher, program);
    const server = await startServer({
      file,
      args,
      env: program.env,
      uid: launcher.uid,
      gid: launcher.gid,
      logFile,
      stopSignal: program.namespace ? 'SIGKILL' : 'SIGTERM',
      diesWithUs: true,
    });
    await untilItListens(server, port, logFile);
    const kill = async () => {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    };
    const close = async () => {
      await server.stop();
      await remove();
    };
    return { host: '127.0.0.1', port, kill, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The command with the prefix of `launcher` or of the namespace. */
export function launched(
  launcher: Launcher,
  { file, args, namespace }: Omit<ServerProgram, 'env'>,
): { file: string; args: string[] } {
  const prefix = namespace ? namespacePrefix(namespace.root) : launcher.prefix;
  const [first = file, ...rest] = [...prefix, file, ...args];
  return { file: first, args: rest };
}

function namespacePrefix(root?: string): string[] {
  const outer = ['--user', '--map-root-user', '--mount', '--pid', '--fork', '--kill-child'];
  const mount = root === undefined ? 'exec "$@"' : 'mount -t overlay overlay -o lowerdir="$0/usr:/usr" /usr && exec "$@"';
  return ['unshare', ...outer, 'sh', '-c', mount, root ?? 'sh', 'unshare', '--user', '--map-user=65534', '--map-group=65534'];
}

/** The user that a server runs as: an unprivileged server cannot switch to another user. */
export function userOf({ prefix, uid, gid }: Launcher): { uid: number; gid: number } {
  if (prefix.length > 0) return { uid: 65_534, gid: 65_534 };
  return { uid: uid ?? process.getuid?.() ?? 0, gid: gid ?? process.getgid?.() ?? 0 };
}

async function untilItListens(server: ServerProcess, port: number, logFile: string): Promise<void> {
  let hasExited = false;
  void server.exited.then(() => {
    hasExited = true;
  });
  const deadline = performance.now() + startTimeoutMs;
  while (!(await accepts(port))) {
    if (hasExited || performance.now() > deadline) {
      await server.stop();
      throw new Error(`the server did not start: ${await readFile(logFile, 'utf8')}`);
    }
    await delay(50);
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
