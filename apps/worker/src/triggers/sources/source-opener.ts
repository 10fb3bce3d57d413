import type { BinaryStore } from '@sluice/binary-store';
import type { CredentialSession } from '@sluice/credentials';
import type { GraphCache, SourceLease, StaticDataRepository, WebhookStartRepository } from '@sluice/db';
import { timezoneOf, untilAvailable } from '@sluice/domain';
import { type EnginePorts, type OpenedSource, openSource } from '@sluice/engine';
import { type Logger, scrubbedLogger, withFields } from '@sluice/logger';
import type { NodeLogger } from '@sluice/node-sdk';
import QuickLRU from 'quick-lru';
import type { WorkerCredentials } from '../../credentials/worker-credentials.ts';
import type { VariableCache } from '../../run/variable-cache.ts';
import { SourceFiles, type SourceFilesOptions } from './source-files.ts';
import { SourceSharedData } from './source-state.ts';

export interface SourceOpenerOptions {
  engine: EnginePorts;
  graphCache: GraphCache;
  variables: VariableCache;
  credentials: WorkerCredentials;
  webhookStarts: Pick<WebhookStartRepository, 'announce'>;
  store: BinaryStore;
  staticData: Pick<StaticDataRepository, 'read'>;
  caps: SourceFilesOptions['caps'];
  /** Environment variables of the worker that expressions may read. */
  env: Readonly<Record<string, string>>;
  /** Time zone of workflows without their own. */
  timezone: string;
  logger: Logger;
}

/**
 * The parts of a lease that exist before its node is read, so that a failed read can be recorded,
 * too.
 */
export interface SourceResources {
  credentials: CredentialSession;
  files: SourceFiles;
  shared: SourceSharedData;
  logger: NodeLogger;
}

/**
 * Milliseconds in which a trigger's repeated uses of a credential are not audited: a poll may use
 * it every second.
 */
const auditedMs = 3_600_000;
const maxTriggers = 10_000;

/** Prepares nodes for polling or listening, in the active version of their workflow. */
export class SourceOpener {
  readonly #options: SourceOpenerOptions;
  /** By trigger: uses of credentials that are already in the audit log. */
  readonly #seen = new QuickLRU<string, Set<string>>({ maxSize: maxTriggers, maxAge: auditedMs });

  constructor(options: SourceOpenerOptions) {
    this.#options = options;
  }

  /** Creates the resources of a lease. `signal` aborts storing and reading. */
  prepare({ workflowId, nodeName }: SourceLease, signal: AbortSignal): SourceResources {
    const { webhookStarts, store, caps, staticData, logger } = this.#options;
    const key = JSON.stringify([workflowId, nodeName]);
    const seen = this.#seen.get(key) ?? new Set<string>();
    if (!this.#seen.has(key)) this.#seen.set(key, seen);
    const credentials = this.#options.credentials.forWorkflow(workflowId, { seen });
    const fields = withFields(logger, { workflowId, nodeName });
    return {
      credentials,
      files: new SourceFiles({ webhookStarts, store, caps }, signal),
      shared: new SourceSharedData(() => untilAvailable(() => staticData.read(workflowId), signal)),
      logger: scrubbedLogger(fields, credentials.scrubber),
    };
  }

  /** Throws the errors of `openSource`, and `NotFoundError` if the workflow has been deleted. */
  async open(
    lease: SourceLease,
    { credentials, files, shared, logger }: SourceResources,
    signal: AbortSignal,
  ): Promise<OpenedSource> {
    const { engine, graphCache, variables, env, timezone } = this.#options;
    const { workflowId, projectId, graphHash, nodeName, cursor } = lease;
    const graph = await untilAvailable(() => graphCache.get(workflowId, graphHash), signal);
    const vars = await untilAvailable(() => variables.get(), signal);
    const request = {
      workflow: { id: workflowId, projectId },
      graph,
      timezone: timezoneOf(graph.settings, timezone),
      vars,
      env,
      nodeName,
      credentials,
      binary: files,
      logger,
      cursor,
      sharedData: shared,
    };
    return openSource(engine, request, signal);
  }
}
