import { setTimeout as delay } from 'node:timers/promises';
import type { ContractCheck } from './contract-check.ts';
import type { Ledger } from './ledger.ts';
import type { ServiceProcess } from './service-process.ts';

/** Timeout of a request: longer than any fault. */
const hangsAfterMs = 40_000;
/**
 * Initial pause before a request is repeated, as in `Retry-After`. It doubles each time, up to
 * `longestPauseMs`.
 */
const pauseMs = 1_000;
const longestPauseMs = 8_000;

export interface ApiRequest {
  method: 'GET' | 'POST';
  /** As in the OpenAPI document: `/executions/{id}`. */
  route: string;
  id?: string;
  query?: string;
  body?: object;
  headers?: Record<string, string>;
}

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: compared with the OpenAPI document
  body: any;
  /** By `performance.now()`. */
  sentAt: number;
}

/**
 * A client of both API processes, as behind a load balancer: a request without a response is
 * repeated at the other one. Checks each response.
 */
export class Client {
  readonly #apis: readonly ServiceProcess[];
  readonly #apiKey: string;
  readonly #check: ContractCheck;
  readonly #ledger: Ledger;
  readonly #stopping = new AbortController();
  #turn = 0;

  constructor({ apis, apiKey, check, ledger }: ClientOptions) {
    this.#apis = apis;
    this.#apiKey = apiKey;
    this.#check = check;
    this.#ledger = ledger;
  }

  /** Sends a request once. Resolves to `undefined` without a response, or for a 503. */
  async send(request: ApiRequest, api: ServiceProcess = this.#next()): Promise<Reply | undefined> {
    const { method, route, id = '', query = '', body, headers } = request;
    const path = route.replace(/\{\w+\}/, encodeURIComponent(id));
    const reply = await this.#fetch(`${api.url}/api/v1${path}${query}`, {
      method,
      headers: { 'x-service-api-key': this.#apiKey, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!reply) return undefined;
    const problem = this.#check.problemOf(method, route, reply.status, reply.text);
    if (problem) this.#ledger.malformed.push(`${method} ${path}: ${problem}`);
    return problem || reply.status === 503
      ? undefined
      : { status: reply.status, body: JSON.parse(reply.text), sentAt: reply.sentAt };
  }

  /**
   * Repeats a request until it gets a response. Resolves to `undefined` if the run ends before
   * that.
   */
  async persist(request: ApiRequest): Promise<Reply | undefined> {
    return this.#until(() => this.send(request));
  }

  /** Does the same for a URL outside of `/api/v1`. */
  async persistWebhook(path: string, body: object, headers: Record<string, string> = {}): Promise<Reply | undefined> {
    return this.#until(() => this.#sendWebhook(path, body, headers));
  }

  /** Stops repeating requests. */
  stop(): void {
    this.#stopping.abort();
  }

  async #sendWebhook(path: string, body: object, headers: Record<string, string>): Promise<Reply | undefined> {
    const reply = await this.#fetch(`${this.#next().url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!reply) return undefined;
    const problem = reply.status < 400 ? undefined : this.#check.errorProblemOf(reply.status, reply.text);
    if (problem) this.#ledger.malformed.push(`POST ${path.replace(/\/[^/]{20,}$/, '/…')}: ${problem}`);
    return problem || reply.status === 503
      ? undefined
      : { status: reply.status, body: parse(reply.text), sentAt: reply.sentAt };
  }

  async #until(send: () => Promise<Reply | undefined>): Promise<Reply | undefined> {
    for (let pause = pauseMs; !this.#stopping.signal.aborted; pause = Math.min(2 * pause, longestPauseMs)) {
      const reply = await send();
      if (reply) return reply;
      await delay(pause * (0.5 + Math.random()));
    }
    return undefined;
  }

  async #fetch(url: string, init: RequestInit): Promise<{ status: number; text: string; sentAt: number } | undefined> {
    const sentAt = performance.now();
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(hangsAfterMs) });
      const text = await response.text();
      this.#ledger.responses += 1;
      this.#ledger.slowestResponseMs = Math.max(this.#ledger.slowestResponseMs, performance.now() - sentAt);
      return { status: response.status, text, sentAt };
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') this.#ledger.malformed.push(`${url}: no response in ${hangsAfterMs} ms`);
      return undefined;
    }
  }

  #next(): ServiceProcess {
    this.#turn += 1;
    return this.#apis[this.#turn % this.#apis.length] as ServiceProcess;
  }
}

interface ClientOptions {
  apis: readonly ServiceProcess[];
  apiKey: string;
  check: ContractCheck;
  ledger: Ledger;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
