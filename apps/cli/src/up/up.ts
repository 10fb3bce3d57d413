import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { type Config, readEnv, toConfig } from '@sluice/config';
import { aborted, codeOf } from '@sluice/domain';
import { tryPort } from '@sluice/embedded';
import { createLogger } from '@sluice/logger';
import { checkStart, refuse } from '../checks/check-start.ts';
import { printFindings } from '../checks/finding.ts';
import { localUrl } from '../local-url.ts';
import { makeHome } from '../make-home.ts';
import { ensureMasterKeyFile } from '../master-key-file.ts';
import type { Terminal } from '../terminal.ts';
import { banner } from './banner.ts';
import { planFleet } from './fleet.ts';
import { lockHome } from './home-lock.ts';
import { ChildRecord } from './leftovers.ts';
import { linkOwner, prepareDatabase } from './prepare-database.ts';
import { startServices } from './services.ts';
import { listenForShutdown, type ShutdownSignals, StopRequestedError } from './shutdown-signals.ts';
import { Supervisor } from './supervisor.ts';

/**
 * Time for a process to exit, in addition to its own grace period, before it is killed. After the
 * grace period, a worker takes up to ten seconds to store the results of aborted executions, and
 * then exits.
 */
const extraGraceMs = 12_000;

/**
 * Runs everything until a signal asks it to stop. Steps: check the settings, lock the home folder,
 * start Postgres and Redis, create the master key, migrate, create the first API key, start the API
 * and the workers. Each step registers its cleanup; stopping runs the cleanups in reverse order.
 */
export async function up(terminal: Terminal): Promise<void> {
  const config = toConfig(readEnv());
  const signals = listenForShutdown();
  const undo = new AsyncDisposableStack();
  undo.defer(() => signals.dispose());
  try {
    await run(config, { signals, undo, terminal });
  } catch (error) {
    if (!(error instanceof StopRequestedError) && !signals.stop.aborted) throw error;
  } finally {
    await undo.disposeAsync();
  }
}

interface UpContext {
  signals: ShutdownSignals;
  undo: AsyncDisposableStack;
  terminal: Terminal;
}

async function run(config: Config, { signals, undo, terminal }: UpContext): Promise<void> {
  const startedAt = performance.now();
  const say = (text: string) => terminal.line(`sluice: ${text}`);
  const { stop, stopNow } = signals;

  const findings = await checkStart(config);
  printFindings(
    findings.filter(({ level }) => level === 'warning'),
    terminal,
  );
  refuse(findings, 'cannot start');
  await makeHome(join(config.home, 'logs'));
  const lock = await lockHome(config.home);
  undo.defer(() => lock.release());
  const children = new ChildRecord(config.home);
  await children.endLeftovers(config.shutdownGraceMs + extraGraceMs, () =>
    say('waiting for the processes of an earlier `sluice up` to exit'),
  );
  await requireFreePort(config);

  const logStream = createWriteStream(join(config.home, 'logs', 'up.log'), { flags: 'a', mode: 0o600 });
  undo.defer(() => void logStream.end());
  // A log that cannot be written, for example because the disk is full, must not stop the service.
  logStream.once('error', (error) => terminal.warn(`sluice: cannot write ${logStream.path}: ${error.message}`));
  logStream.on('error', () => undefined);
  const logger = createLogger({ name: 'up', level: config.logLevel, keyHeader: config.http.keyHeader, destination: logStream });
  const services = await startServices(config, { logger, onProgress: say, signal: stop });
  undo.defer(() => services.stop());
  stop.throwIfAborted();

  const masterKeys = config.secrets.encryptionKeys ?? (await ensureMasterKeyFile(config.home));
  const { ownerId, ownerEmail, generatedKey } = await prepareDatabase(services.databaseUrl, config, masterKeys, stop);
  const fleet = await planFleet(config, { ...services, masterKeys });
  const supervisor = new Supervisor(fleet, { children, terminal });
  undo.defer(() => supervisor.stop(config.shutdownGraceMs + extraGraceMs));
  stopNow.addEventListener('abort', () => supervisor.kill());
  const [api] = fleet;
  if (generatedKey !== undefined) terminal.line(`First API key (it cannot be shown again): ${generatedKey}`);
  await supervisor.start(stop);

  const url = api?.url ?? '';
  const link = await linkOwner(services.databaseUrl, ownerId, { http: config.http, apiUrl: url }, stop);
  terminal.line(banner(config, { url, link, ownerEmail, startMs: performance.now() - startedAt }));
  await aborted(stop);
  say('stopping; press Ctrl-C again to stop immediately');
}

async function requireFreePort({ http: { host, port } }: Config): Promise<void> {
  if (port === 0) return;
  await tryPort(port, host).catch((cause) => {
    const code = codeOf(cause);
    const fix =
      code === 'EADDRINUSE' || code === 'EACCES' ? 'set PORT to a free port' : 'set HOST to an address of this machine';
    throw new Error(`cannot listen on ${localUrl(host, port)} (${code}); ${fix}`, { cause });
  });
}
