import { isDeepStrictEqual } from 'node:util';
import type { CredentialTestView, TestCredentialBody } from '@sluice/contract';
import { type CredentialOpener, type CredentialUser, carrySecrets, changedFields, guardedPorts } from '@sluice/credentials';
import { type Credential, type CredentialRepository, noteForAudit } from '@sluice/db';
import { ForbiddenError, invalidRequest, isAppError, type JsonObject, Slots, untilAborted } from '@sluice/domain';
import type { CredentialPorts, CredentialType, HttpClient, TestCredential } from '@sluice/node-sdk';
import { SecretScrubber, secretValues } from '@sluice/vault';
import type { Caller } from '../auth/caller.ts';
import { assertScopes } from '../auth/scopes.ts';
import type { CredentialTypes } from './credential-types.ts';

interface CredentialTesterOptions {
  credentials: CredentialRepository;
  opener: CredentialOpener;
  types: CredentialTypes;
  /** Finds a node type's test for a type that has no test; `undefined` if no node type has one. */
  testOf(type: string): TestCredential | undefined;
  ports: CredentialPorts;
  /** Timeout of a test, in milliseconds. */
  timeoutMs: number;
}

const maxMessageLength = 1_000;

/** One test of one credential. */
interface Trial {
  /**
   * Reopens stored data after the service refused their session. Absent for data of the request.
   */
  reopen: (() => Promise<JsonObject>) | undefined;
  signal: AbortSignal;
  scrubber: SecretScrubber;
}

/** Maximum number of concurrent tests. */
const maxTests = 6;

/** Tests credentials at their services, with the request or connection that the type defines. */
export class CredentialTester {
  readonly #options: CredentialTesterOptions;
  /** Servers that do not respond delay only tests of the same user. */
  readonly #slots = new Slots(maxTests);

  constructor(options: CredentialTesterOptions) {
    this.#options = options;
  }

  /**
   * A failed test is a result; an invalid or forbidden request throws. Fields that `data` omits, or
   * sends as the placeholder, keep their stored values; see `carrySecrets` for secrets. `signal`
   * ends the test early.
   */
  async test(body: TestCredentialBody, caller: Caller, signal: AbortSignal): Promise<CredentialTestView> {
    const release = await this.#slots.take(caller.userId, signal);
    try {
      return await this.#test(body, caller, signal);
    } finally {
      release();
    }
  }

  async #test({ credentials }: TestCredentialBody, caller: Caller, signal: AbortSignal): Promise<CredentialTestView> {
    const { id, data: sent = {} } = credentials;
    noteForAudit({ ...(id !== '' && { objectId: id }), details: { type: credentials.type } });
    const type = this.#options.types.require(credentials.type, '/credentials/type');
    const stored = id === '' ? undefined : await this.#stored(id, type, caller);
    const ended = AbortSignal.any([signal, AbortSignal.timeout(this.#options.timeoutMs)]);
    const scrubber = new SecretScrubber();
    try {
      const current = stored ? await this.#open(stored, type, caller, ended) : {};
      scrubber.add(secretValues(current, this.#options.types.rulesOf(type.name)));
      if (stored && changedFields(current, sent).length > 0) assertMayChange(stored, caller);
      const data = carrySecrets(type, { stored: current, sent, partial: true, path: '/credentials/data' });
      scrubber.add(secretValues(data, this.#options.types.rulesOf(type.name)));
      const asStored = stored && isDeepStrictEqual(data, current) ? stored : undefined;
      const reopen = asStored && (() => this.#open(asStored, type, caller, ended, current));
      return await this.#run(type, data, { reopen, signal: ended, scrubber });
    } catch (error) {
      if (isRefusal(error)) throw error;
      return failure(messageOf(error, ended, this.#options.timeoutMs), scrubber);
    }
  }

  async #stored(id: string, type: CredentialType, caller: Caller): Promise<Credential> {
    const stored = await this.#options.credentials.get(id, caller.access['project:editor']);
    if (stored.type === type.name) return stored;
    const message = `the credential is of type ${stored.type}`;
    throw invalidRequest('/credentials/type', message);
  }

  /** @param refused the data as they were stored when the service returned with 401. */
  async #open(
    { id }: Credential,
    type: CredentialType,
    caller: Caller,
    signal: AbortSignal,
    refused?: JsonObject,
  ): Promise<JsonObject> {
    const { credentials, opener } = this.#options;
    const user: CredentialUser = {
      find: async (id) => ({ ...(await credentials.get(id, caller.access['project:editor'])), usable: true }),
    };
    const opened = await opener.open({ id, type: type.name }, { user, seen: new Set(), refused }, signal);
    return opened.stored;
  }

  async #run(type: CredentialType, data: JsonObject, trial: Trial): Promise<CredentialTestView> {
    const { scrubber } = trial;
    const test = type.test ?? this.#options.testOf(type.name);
    if (!test) return failure(`there is no way to test credentials of the type ${type.name}`, scrubber);
    const [issue] = this.#options.types.issuesOf(type, data, '');
    if (issue?.path === '') return failure(`the credential is not valid: ${issue.message}`, scrubber);
    if (issue) return failure(`the credential is not complete: ${issue.path.slice(1)} ${issue.message}`, scrubber);
    const { status, message } = await this.#try(type, data, test, trial);
    if (status !== 'OK') return failure(message, scrubber);
    return { status: 'success', message: bounded(message, scrubber) };
  }

  /**
   * For types with sessions: tests stored data with their session, and after a 401 with a new one.
   * Data from the request gets a new session.
   */
  async #try(type: CredentialType, data: JsonObject, test: TestCredential, { reopen, signal, scrubber }: Trial) {
    const { types } = this.#options;
    const ports = guardedPorts(this.#options.ports, type, data);
    // Returns even if the test ignores its signal.
    const tryWith = (tried: JsonObject, over = ports) => untilAborted(test(tried, over, signal), signal);
    const withSession = (opened: JsonObject) => {
      scrubber.add(secretValues(opened, types.rulesOf(type.name)));
      return tryWith(opened);
    };
    if (type.renewal?.afterRefusal !== true) return tryWith(data);
    if (!reopen) return withSession(await type.renewal.renew(data, ports, signal));
    const watched = watchedPorts(ports);
    const result = await tryWith(data, watched.ports);
    return watched.refused && result.status !== 'OK' ? withSession(await reopen()) : result;
  }
}

/** Throws 403 for callers who may test the stored credential, but not change it. */
function assertMayChange({ id, projectId }: Credential, { access, scopes }: Caller): void {
  if (!access['project:editor'].includes(projectId))
    throw new ForbiddenError(`you may not change credential ${id}: it can be tested only as stored`);
  assertScopes(scopes, ['credential:update'], 'the key may test the credential only as it is stored');
}

/** Errors in the request itself, as opposed to test results. */
function isRefusal(error: unknown): boolean {
  return isAppError(error) && ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'].includes(error.code);
}

function messageOf(error: unknown, ended: AbortSignal, timeoutMs: number): string {
  if (ended.aborted) return `no result within ${timeoutMs / 1000} seconds`;
  return isAppError(error) ? error.message : 'the test failed';
}

function failure(message: string, scrubber: SecretScrubber): CredentialTestView {
  return { status: 'error', message: bounded(message, scrubber) };
}

function bounded(message: string, scrubber: SecretScrubber): string {
  return scrubber.scrubText(message).slice(0, maxMessageLength).toWellFormed();
}

/** The ports, and whether one of their requests got a 401. */
interface WatchedPorts {
  ports: CredentialPorts;
  readonly refused: boolean;
}

function watchedPorts(ports: CredentialPorts): WatchedPorts {
  let refused = false;
  const request: HttpClient['request'] = async (...args) => {
    const response = await ports.http.request(...args);
    refused ||= response.status === 401;
    return response;
  };
  return {
    ports: { ...ports, http: { ...ports.http, request } },
    get refused() {
      return refused;
    },
  };
}
