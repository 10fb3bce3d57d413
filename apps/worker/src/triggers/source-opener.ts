import type { BinaryStore } from '@sluice/binary-store';
import type { GraphCache, SourceHold, WebhookStarts } from '@sluice/db';
import { timezoneOf } from '@sluice/domain';
import { type EnginePorts, type OpenedSource, openSource } from '@sluice/engine';
import type { Logger } from '@sluice/logger';
import type { NodeLogger } from '@sluice/node-sdk';
import QuickLRU from 'quick-lru';
import type { CredentialOpener } from '../credentials/credential-opener.ts';
import { ExecutionCredentials } from '../credentials/execution-credentials.ts';
import { scrubbedLogger } from '../credentials/scrubbed-logger.ts';
import { untilAvailable } from '../until-available.ts';
import type { VariableCache } from '../variable-cache.ts';
import { withFields } from '../with-fields.ts';
import { SourceFiles, type SourceFilesOptions } from './source-files.ts';

export interface SourceOpenerOptions {
  engine: EnginePorts;
  graphs: GraphCache;
  variables: VariableCache;
  credentials: CredentialOpener;
  announcing: Pick<WebhookStarts, 'announce'>;
  store: BinaryStore;
  caps: SourceFilesOptions['caps'];
  /** What of the worker's environment expressions may read. */
  env: Readonly<Record<string, string>>;
  /** Time zone of workflows that set none. */
  timezone: string;
  logger: Logger;
}

/** What a hold works with: it is there before the node can be looked at, so that a failure to do that can be told, too. */
export interface SourceKit {
  credentials: ExecutionCredentials;
  files: SourceFiles;
  logger: NodeLogger;
}

/** How long the audit log needs no further line of a trigger that uses a credential, in milliseconds: a poll may use one every second. */
const auditedMs = 3_600_000;
const maxTriggers = 10_000;

/** Prepares nodes to poll or to listen, in the version of their workflow that is active. */
export class SourceOpener {
  readonly #options: SourceOpenerOptions;
  /** By trigger: uses of credentials that the audit log has. */
  readonly #seen = new QuickLRU<string, Set<string>>({ maxSize: maxTriggers, maxAge: auditedMs });

  constructor(options: SourceOpenerOptions) {
    this.#options = options;
  }

  /** `signal` ends what is stored and read. */
  kit({ workflowId, nodeName }: SourceHold, signal: AbortSignal): SourceKit {
    const { announcing, store, caps, logger } = this.#options;
    const key = JSON.stringify([workflowId, nodeName]);
    const seen = this.#seen.get(key) ?? new Set<string>();
    if (!this.#seen.has(key)) this.#seen.set(key, seen);
    const credentials = new ExecutionCredentials(this.#options.credentials, { workflowId }, { seen });
    const fields = withFields(logger, { workflowId, nodeName });
    return {
      credentials,
      files: new SourceFiles({ starts: announcing, store, caps }, signal),
      logger: scrubbedLogger(fields, credentials.scrubber),
    };
  }

  /** Throws as `openSource`, and `NotFoundError` where the workflow has been deleted. */
  async open(hold: SourceHold, { credentials, files, logger }: SourceKit, signal: AbortSignal): Promise<OpenedSource> {
    const { engine, graphs, variables, env, timezone } = this.#options;
    const { workflowId, graphHash, nodeName, cursor } = hold;
    const graph = await untilAvailable(() => graphs.get(workflowId, graphHash), signal);
    const vars = await untilAvailable(() => variables.get(), signal);
    const request = {
      workflow: { id: workflowId },
      graph,
      timezone: timezoneOf(graph.settings, timezone),
      vars,
      env,
      nodeName,
      credentials,
      binary: files,
      logger,
      cursor,
    };
    return openSource(engine, request, signal);
  }
}
