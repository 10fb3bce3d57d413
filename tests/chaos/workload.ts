import { setTimeout as delay } from 'node:timers/promises';
import { type Random, seededRandom } from '../e2e/support/seeded-random.ts';
import type { Client, Reply } from './client.ts';
import type { Ledger, SeenExecution } from './ledger.ts';
import { type Kind, kinds, webhookPaths } from './workflows.ts';

/** Maximum number of starts in flight. It is reached only while the service is down. */
const maxInFlight = 100;
const stopShare = 0.08;
const waitShare = 0.2;
const retryShare = 0.4;
/** Pause between two reads, in milliseconds. */
const readMs = 150;

interface WorkloadOptions {
  client: Client;
  ledger: Ledger;
  seed: number;
  /** Starts per second. */
  rate: number;
  /** Kind → ID of its workflow. */
  workflowIds: ReadonlyMap<string, string>;
}

/** Starts, stops, retries, and reads executions until `stop`. */
export class Workload {
  readonly #options: WorkloadOptions;
  readonly #random: Random;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #retried = new Set<string>();
  readonly #loops: Promise<void>[];
  #isStopping = false;
  #count = 0;

  constructor(options: WorkloadOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.#loops = [this.#startAll(), this.#readAll()];
  }

  /** Stops starting executions. Resolves once every start has its response. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#loops);
    await this.idle();
  }

  async idle(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
  }

  /** Sends the request or the form that an execution waits for. */
  resume(url: string): void {
    const { pathname } = new URL(url);
    const sent = this.#options.client.persistWebhook(pathname, {}, { 'idempotency-key': pathname });
    this.#track(sent.then((reply) => this.#again(reply, url)));
  }

  #again(reply: Reply | undefined, url: string): void {
    if (reply?.body?.code === 'NOT_WAITING_YET') this.resume(url);
  }

  async #startAll(): Promise<void> {
    const everyMs = 1_000 / this.#options.rate;
    for (let next = performance.now(); !this.#isStopping; next += everyMs) {
      await delay(Math.max(0, next - performance.now()));
      if (this.#inFlight.size < maxInFlight) this.#track(this.#startOne(this.#anyKind()));
    }
  }

  async #startOne(kind: Kind): Promise<void> {
    this.#count += 1;
    const key = `chaos-${this.#options.seed}-${this.#count}`;
    const [waits, isStopped, delayMs] = [this.#random() < waitShare, this.#random() < stopShare, this.#random() * 1_500];
    const id = kind.webhook ? await this.#sendWebhook(kind, kind.webhook, key) : await this.#run(kind, key, waits);
    if (id === undefined || !isStopped) return;
    await delay(delayMs);
    await this.#stop(id);
  }

  async #run(kind: Kind, key: string, waits: boolean): Promise<string | undefined> {
    const { client, ledger, workflowIds } = this.#options;
    const headers = { 'idempotency-key': key, prefer: waits ? 'wait=5' : 'respond-async' };
    const id = workflowIds.get(kind.name) as string;
    const reply = await client.persist({ method: 'POST', route: '/workflows/{id}/run', id, headers, body: {} });
    if (!reply) ledger.unanswered += 1;
    if (reply?.status !== 200) return undefined;
    ledger.accept({ id: reply.body.executionId, kind: kind.name });
    if (reply.body.status === 'success') this.#expectRunData(kind, reply.body);
    return reply.body.executionId;
  }

  /** If the run ended before the response, the response contains all node runs. */
  #expectRunData(kind: Kind, { executionId, data }: Reply['body']): void {
    const wrong = Object.entries(kind.effects).filter(([node, runs]) => data.resultData.runData[node]?.length !== runs);
    if (wrong.length > 0) this.#options.ledger.malformed.push(`run ${executionId} of ${kind.name} lacks node runs`);
  }

  async #sendWebhook(kind: Kind, mode: NonNullable<Kind['webhook']>, event: string): Promise<string | undefined> {
    const { client, ledger } = this.#options;
    const body = mode === 'mcp' ? toolCall(event) : { event };
    const reply = await client.persistWebhook(`/webhook/${webhookPaths[mode]}`, body, { 'idempotency-key': event });
    if (!reply) ledger.unanswered += 1;
    else ledger.webhookEvents.add(event);
    const answered = mode === 'mcp' ? reply?.body?.id : reply?.body?.event;
    if (mode !== 'immediate' && reply?.status === 200 && answered !== event)
      ledger.malformed.push(`${kind.name}: ${JSON.stringify(reply.body)} instead of the event ${event}`);
    return reply?.body?.executionId;
  }

  async #stop(id: string): Promise<void> {
    const { client, ledger } = this.#options;
    const reply = await client.persist({ method: 'POST', route: '/executions/{id}/stop', id });
    if (reply?.status !== 200) return;
    ledger.stopped.add(id);
    ledger.recordSeen(reply.body, reply.sentAt);
  }

  async #readAll(): Promise<void> {
    while (!this.#isStopping) {
      await delay(readMs);
      const reply = await this.#options.client.send({ method: 'GET', route: '/executions', query: this.#anyQuery() });
      for (const execution of reply?.body.data ?? []) this.#seen(execution, reply?.sentAt ?? 0);
      const [first] = reply?.body.data ?? [];
      if (first) await this.#read(first.id);
    }
  }

  async #read(id: string): Promise<void> {
    const { client, ledger } = this.#options;
    const reply = await client.send({ method: 'GET', route: '/executions/{id}', id, query: '?includeData=true' });
    if (reply?.status === 200) ledger.recordSeen(reply.body, reply.sentAt);
  }

  #seen(execution: SeenExecution, sentAt: number): void {
    const { ledger } = this.#options;
    ledger.recordSeen(execution, sentAt);
    if (this.#retried.has(execution.id) || !['error', 'crashed', 'canceled'].includes(execution.status)) return;
    this.#retried.add(execution.id);
    const accepted = ledger.accepted.get(execution.id);
    if (accepted && this.#random() < retryShare) this.#track(this.#retry(execution.id, accepted.kind));
  }

  async #retry(retryOf: string, kind: string): Promise<void> {
    const { client, ledger, seed } = this.#options;
    const headers = { 'idempotency-key': `chaos-${seed}-retry-${retryOf}` };
    const body = { loadWorkflow: this.#random() < 0.5 };
    const reply = await client.persist({ method: 'POST', route: '/executions/{id}/retry', id: retryOf, headers, body });
    if (!reply) ledger.unanswered += 1;
    if (reply?.status === 200) ledger.accept({ id: reply.body.id, kind, retryOf });
  }

  #anyQuery(): string {
    const statuses = ['', '&status=error,crashed,canceled', '&status=waiting', '&status=running', '&status=success'];
    return `?limit=${this.#pick([20, 100])}${this.#pick(statuses)}`;
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)] as T;
  }

  #anyKind(): Kind {
    return this.#pick(kinds.flatMap((kind) => Array<Kind>(kind.weight).fill(kind)));
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#inFlight.delete(tracked));
    this.#inFlight.add(tracked);
  }
}

/** A message of an MCP client. The response has its ID. */
function toolCall(event: string): object {
  return { jsonrpc: '2.0', id: event, method: 'tools/call', params: { name: 'tool', arguments: {} } };
}
