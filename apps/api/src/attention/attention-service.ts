import type { AttentionItem } from '@sluice/contract';
import type { AttentionRepository, FailingSource, ProjectUse, WorkerListRepository } from '@sluice/db';
import { type Caller, isInstanceAdmin } from '../auth/caller.ts';
import type { CredentialHealth, CredentialProblem } from '../credentials/credential-health.ts';
import type { FoundPackages } from '../node-types/node-package-views.ts';

interface AttentionServiceOptions {
  attention: AttentionRepository;
  workerList: Pick<WorkerListRepository, 'listLive'>;
  credentialHealth: Pick<CredentialHealth, 'list'>;
  nodePackages: FoundPackages;
  limits: { queuedMaxPerProject: number; storageMaxBytesPerProject: number };
}

/** A project is listed once it uses this share of a quota. */
const fillingFrom = 0.8;
/** A key is listed for this many days before and after its expiry. */
const keyDays = 14;

/** Lists problems that an operator or user can solve. Each part needs its scope. */
export class AttentionService {
  readonly #options: AttentionServiceOptions;

  constructor(options: AttentionServiceOptions) {
    this.#options = options;
  }

  /** Errors first. */
  async list(caller: Caller): Promise<AttentionItem[]> {
    const { scopes } = caller;
    const parts = await Promise.all([
      scopes.has('workflow:list') ? this.#listSources(caller) : [],
      scopes.has('credential:list') ? this.#listCredentials(caller) : [],
      this.#listKeys(caller),
      scopes.has('execution:list') ? this.#listQuotas(caller) : [],
      isInstanceAdmin(caller.role) ? this.#listInstallation() : [],
    ]);
    const items = parts.flat();
    return [...items.filter(({ severity }) => severity === 'error'), ...items.filter(({ severity }) => severity === 'warning')];
  }

  async #listSources({ access }: Caller): Promise<AttentionItem[]> {
    return (await this.#options.attention.listFailingSources(access['project:viewer'])).map(toSourceItem);
  }

  async #listCredentials(caller: Caller): Promise<AttentionItem[]> {
    return (await this.#options.credentialHealth.list(caller)).map(toCredentialItem);
  }

  async #listKeys({ userId }: Caller): Promise<AttentionItem[]> {
    const keys = await this.#options.attention.listExpiringKeys(userId, keyDays);
    return keys.map(({ id, label, expiresAt, isExpired }) =>
      item({
        kind: isExpired ? 'apiKeyExpired' : 'apiKeyExpiring',
        severity: isExpired ? 'error' : 'warning',
        message: isExpired ? `API key "${label}" has expired` : `API key "${label}" expires soon: create another one`,
        at: expiresAt.toISOString(),
        apiKey: { id, name: label },
      }),
    );
  }

  async #listQuotas({ access }: Caller): Promise<AttentionItem[]> {
    const { attention, limits } = this.#options;
    const { queuedMaxPerProject: maxQueued, storageMaxBytesPerProject: maxBytes } = limits;
    const [queues, storage] = await Promise.all([
      attention.listQueues(access['project:viewer'], maxQueued * fillingFrom),
      attention.listStorage(access['project:viewer'], maxBytes * fillingFrom),
    ]);
    return [
      ...queues.map((use) => toQuotaItem('queue', use, maxQueued)),
      ...storage.map((use) => toQuotaItem('storage', use, maxBytes)),
    ];
  }

  async #listInstallation(): Promise<AttentionItem[]> {
    const { workerList, nodePackages } = this.#options;
    const isLive = (await workerList.listLive()).some(({ leaseRemainingMs }) => leaseRemainingMs > 0);
    const noWorkerItem = item({
      kind: 'noWorker',
      severity: 'error',
      message: 'no worker is running: executions are queued, but not executed',
    });
    return [
      ...(isLive ? [] : [noWorkerItem]),
      ...nodePackages.failures.map(({ package: name, reason }) =>
        item({ kind: 'packageFailed', severity: 'error', message: `package ${name} was not loaded: ${reason}` }),
      ),
      ...nodePackages.packages.flatMap(({ name, skipped }) =>
        skipped.map((reason) =>
          item({ kind: 'packageFailed', severity: 'warning', message: `package ${name} was loaded without a type: ${reason}` }),
        ),
      ),
    ];
  }
}

type ItemFields = Pick<AttentionItem, 'kind' | 'severity' | 'message'> & Partial<AttentionItem>;

function item(fields: ItemFields): AttentionItem {
  return { at: null, project: null, workflow: null, nodeName: null, credential: null, apiKey: null, ...fields };
}

function toSourceItem({ source, nodeName, failures, lastError, retryAt, ...of }: FailingSource): AttentionItem {
  const times = failures === 1 ? 'once' : `${failures} times in a row`;
  return item({
    kind: source === 'trigger' ? 'triggerFailing' : 'registrationFailing',
    severity: 'error',
    message: `the ${source} of node "${nodeName}" failed ${times}${lastError === null ? '' : `: ${lastError}`}`,
    at: retryAt?.toISOString() ?? null,
    project: { id: of.projectId, name: of.projectName },
    workflow: { id: of.workflowId, name: of.workflowName },
    nodeName,
  });
}

const credentialTexts: Readonly<Record<CredentialProblem['kind'], Pick<AttentionItem, 'severity' | 'message'>>> = {
  credentialNotConnected: { severity: 'warning', message: 'is not connected yet' },
  credentialExpired: { severity: 'error', message: 'has an expired token that cannot be renewed: connect it again' },
  credentialExpiring: { severity: 'warning', message: 'has a token that expires soon and cannot be renewed' },
  credentialUnreadable: { severity: 'error', message: 'cannot be decrypted with the configured master keys' },
};

function toCredentialItem({ kind, id, name, at }: CredentialProblem): AttentionItem {
  const { severity, message } = credentialTexts[kind];
  return item({
    kind,
    severity,
    message: `credential "${name}" ${message}`,
    at: at?.toISOString() ?? null,
    credential: { id, name },
  });
}

function toQuotaItem(quota: 'queue' | 'storage', { projectId, projectName, used }: ProjectUse, max: number): AttentionItem {
  const isFull = used >= max;
  const percent = Math.floor((used / max) * 100);
  const unit = quota === 'queue' ? 'executions waiting to start' : 'bytes of execution data';
  return item({
    kind: `${quota}${isFull ? 'Full' : 'Filling'}`,
    severity: isFull ? 'error' : 'warning',
    message: `project "${projectName}" has ${used} ${unit}, ${percent}% of its limit`,
    project: { id: projectId, name: projectName },
  });
}
