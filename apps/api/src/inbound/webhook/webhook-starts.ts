import type { StartedOnce, WebhookRoute, WebhookStartRepository } from '@sluice/db';
import { type Item, isAppError, type TriggerStart } from '@sluice/domain';
import type { ExecutionEnqueuer } from '../../executions/execution-enqueuer.ts';
import { deliveryKey } from '../shared/inbound-request.ts';
import type { RequestFiles } from '../shared/request-files.ts';

interface WebhookStartsOptions {
  webhookStarts: WebhookStartRepository;
  enqueuer: Pick<ExecutionEnqueuer, 'assertUp'>;
}

interface WebhookStart {
  items: readonly Item[];
  /** Output of the node that the items leave by; default: the output of the method. */
  output?: number;
  files: RequestFiles;
  /** Requests with the same key, or the same signature, start one execution. */
  key: string | undefined;
  signature?: string | undefined;
}

/** Inserts the executions of webhook requests; the caller enqueues them. */
export class WebhookStarts {
  readonly #options: WebhookStartsOptions;

  constructor(options: WebhookStartsOptions) {
    this.#options = options;
  }

  /**
   * Starts the execution of a delivery once. `undefined` for a repeated delivery whose execution
   * was deleted: the service would send it again if the response were an error.
   */
  async startDelivery(
    route: WebhookRoute,
    { deliveryId, ...start }: WebhookStart & { deliveryId?: string },
  ): Promise<StartedOnce | undefined> {
    if (deliveryId === undefined) return this.start(route, start);
    try {
      return await this.start(route, { ...start, key: deliveryKey(deliveryId) });
    } catch (error) {
      if (!isAppError(error) || error.code !== 'IDEMPOTENCY_KEY_EXECUTION_DELETED') throw error;
      await start.files.discard();
      return undefined;
    }
  }

  async start(
    route: WebhookRoute,
    { items, output = route.output, files, key, signature }: WebhookStart,
  ): Promise<StartedOnce> {
    this.#assertCanRespond(route);
    const input = { trigger: triggerStart(route, items, output) };
    const signed = signature === undefined ? {} : { signature };
    const started = await this.#options.webhookStarts.start({ ...route, input, files: files.stored, key, ...signed });
    if (started.repeated) await files.discard();
    return started;
  }

  async startAt(route: WebhookRoute, items: readonly Item[]): Promise<StartedOnce | undefined> {
    this.#assertCanRespond(route);
    const input = { trigger: triggerStart(route, items, route.output) };
    const started = route.id !== undefined && (await this.#options.webhookStarts.startAt(route.id, { ...route, input }));
    return started || undefined;
  }

  /** Throws `UnavailableError` if the response could not be waited for. */
  #assertCanRespond({ spec }: WebhookRoute): void {
    if (spec.response.mode !== 'onReceived') this.#options.enqueuer.assertUp();
  }
}

/** The trigger that an execution starts at, and how it responds. */
function triggerStart({ nodeName, spec }: WebhookRoute, items: readonly Item[], output: number): TriggerStart {
  const { mode } = spec.response;
  const taking = { ...(mode === 'streaming' && { streams: true }), ...(mode === 'lastNode' && { awaitsLast: true }) };
  return { node: nodeName, ...(!spec.runsNode && { output }), items: [...items], ...taking };
}
