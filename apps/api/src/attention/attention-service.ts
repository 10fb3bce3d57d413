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

/** A project is listed when it uses at least this share of a quota. */
const minListedShare = 0.8;
/** A key is listed for this many days before and after its expiry. */
const keyExpiryDays = 14;

/** Lists problems that users can solve. Callers see only the kinds that their scopes allow. */
export class AttentionService {
  readonly #options: AttentionServiceOptions;

  constructor(options: AttentionServiceOptions) {
    this.#options = options;
  }

  /** Returns errors before warnings. */
  async list(caller: Caller): Promise<AttentionItem[]> {
    const { scopes } = caller;
    const itemsByKind = await Promise.all([
      scopes.has('workflow:list') ? this.#sourceItems(caller) : [],
      scopes.has('credential:list') ? this.#credentialItems(caller) : [],
      this.#keyItems(caller),
      scopes.has('execution:list') ? this.#quotaItems(caller) : [],
      isInstanceAdmin(caller.role) ? this.#installationItems() : [],
    ]);
    const items = itemsByKind.flat();
    return [...items.filter(({ severity }) => severity === 'error'), ...items.filter(({ severity }) => severity === 'warning')];
  }

  async #sourceItems({ access }: Caller): Promise<AttentionItem[]> {
    return (await this.#options.attention.listFailingSources(access['project:viewer'])).map(toSourceItem);
  }

  async #credentialItems(caller: Caller): Promise<AttentionItem[]> {
    return (await this.#options.credentialHealth.list(caller)).map(toCredentialItem);
  }

  async #keyItems({ userId }: Caller): Promise<AttentionItem[]> {
    const keys = await this.#options.attention.listExpiringKeys(userId, keyExpiryDays);
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

  async #quotaItems({ access }: Caller): Promise<AttentionItem[]> {
    const { attention, limits } = this.#options;
    const { queuedMaxPerProject: maxQueued, storageMaxBytesPerProject: maxBytes } = limits;
    const [queues, storage] = await Promise.all([
      attention.listQueues(access['project:viewer'], maxQueued * minListedShare),
      attention.listStorage(access['project:viewer'], maxBytes * minListedShare),
    ]);
    return [
      ...queues.map((use) => toQuotaItem('queue', use, maxQueued)),
      ...storage.map((use) => toQuotaItem('storage', use, maxBytes)),
    ];
  }

  async #installationItems(): Promise<AttentionItem[]> {
    const { workerList, nodePackages } = this.#options;
    const hasLiveWorker = (await workerList.listLive()).some(({ leaseRemainingMs }) => leaseRemainingMs > 0);
    const noWorkerItem = item({
      kind: 'noWorker',
      severity: 'error',
      message: 'no worker is running: executions are queued, but not executed',
    });
    return [
      ...(hasLiveWorker ? [] : [noWorkerItem]),
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

/** An item without the fields that do not apply to its kind. */
type ItemFields = Pick<AttentionItem, 'kind' | 'severity' | 'message'> & Partial<AttentionItem>;

function item(fields: ItemFields): AttentionItem {
  return { at: null, project: null, workflow: null, nodeName: null, credential: null, apiKey: null, ...fields };
}

function toSourceItem(failing: FailingSource): AttentionItem {
  const { source, nodeName, failures, lastError, retryAt } = failing;
  const times = failures === 1 ? 'once' : `${failures} times in a row`;
  return item({
    kind: source === 'trigger' ? 'triggerFailing' : 'registrationFailing',
    severity: 'error',
    message: `the ${source} of node "${nodeName}" failed ${times}${lastError === null ? '' : `: ${lastError}`}`,
    at: retryAt?.toISOString() ?? null,
    project: { id: failing.projectId, name: failing.projectName },
    workflow: { id: failing.workflowId, name: failing.workflowName },
    nodeName,
  });
}

const credentialProblems: Readonly<Record<CredentialProblem['kind'], Pick<AttentionItem, 'severity' | 'message'>>> = {
  credentialNotConnected: { severity: 'warning', message: 'is not connected yet' },
  credentialExpired: { severity: 'error', message: 'has an expired token that cannot be renewed: connect it again' },
  credentialExpiring: { severity: 'warning', message: 'has a token that expires soon and cannot be renewed' },
  credentialUnreadable: { severity: 'error', message: 'cannot be decrypted with the configured master keys' },
};

function toCredentialItem({ kind, id, name, at }: CredentialProblem): AttentionItem {
  const { severity, message } = credentialProblems[kind];
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
