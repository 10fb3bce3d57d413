import { describe, expect, jest, test } from '@jest/globals';
import { ForbiddenError, MemoryBudget, UnavailableError, ValidationError } from '@sluice/domain';
import { type AccessRules, Admission, type Entry, isAllowedAddress, isBot } from './admission.ts';
import { AlreadyResumedError, UnauthorizedRequestError } from './errors.ts';
import type { InboundRequest } from './inbound-request.ts';
import { RequestAuthenticator } from './request-authenticator.ts';
import type { RequestFiles } from './request-files.ts';

const credential = { type: 'httpHeaderAuth', usable: true, sealed: {} } as unknown as Awaited<
  ReturnType<Entry['findCredential']>
>;
const authentication = { type: 'httpHeaderAuth', credentialId: 'c' } as const;
const signed = { type: 'webhookSignature', credentialId: 'c' } as const;
const good = { 'x-secret': 's' };

/** Admits a request and records the steps in order. */
function admitting({
  rules = {},
  headers = {},
  hasArrived = true,
  memory,
  ...more
}: Partial<Entry> & { rules?: AccessRules; headers?: object; hasArrived?: boolean; memory?: MemoryBudget } = {}) {
  const steps: string[] = [];
  const step = (name: string) => () => void steps.push(name);
  const vault = { open: () => ({ name: 'x-secret', value: 's', scheme: 'custom', secret: 'k', header: 'x-signature' }) };
  const authenticator = new RequestAuthenticator({ vault, logger: { warn() {} } } as never);
  const store = { delete: jest.fn(async () => undefined) };
  const admission = new Admission({ authenticator, files: { store } as never, ...(memory && { memory }) });
  const request = {
    method: 'POST',
    address: '10.0.0.1',
    headers,
    assertMayGuess: step('guess'),
    isComplete: () => hasArrived,
    isShort: () => memory === undefined,
    disconnected: new AbortController().signal,
    countFor: async () => step('count')(),
  } as unknown as InboundRequest;
  const entry: Entry = {
    rules,
    route: { executionId: '1' },
    async findCredential() {
      steps.push('credential');
      return { ...credential, type: rules.authentication?.type } as typeof credential;
    },
    ...more,
  };
  const admit = <T>(take: (files: RequestFiles) => Promise<T>) =>
    admission.admit(request, entry, async (_, files, reauthenticate) => {
      const taken = await take(files);
      await reauthenticate();
      return taken;
    });
  const admitted = () => admit(async () => step('body')());
  return { steps, admit, admitted };
}

describe('admission', () => {
  test('checks the secret, then the limits, then reads the body', async () => {
    const { steps, admitted } = admitting({ rules: { authentication }, headers: good });
    await admitted();
    expect(steps).toEqual(['guess', 'credential', 'count', 'body']);
  });

  test('checks the secret again after a body that arrived later', async () => {
    const { steps, admitted } = admitting({ rules: { authentication }, headers: good, hasArrived: false });
    await admitted();
    expect(steps).toEqual(['guess', 'credential', 'count', 'body', 'credential']);
    const found = [credential, undefined];
    const late = { rules: { authentication }, headers: good, hasArrived: false, findCredential: async () => found.shift() };
    await expect(admitting(late).admitted()).rejects.toThrow(UnauthorizedRequestError);
  });

  test('looks up neither a credential nor earlier misses for an endpoint without authentication', async () => {
    const { steps, admitted } = admitting();
    await admitted();
    expect(steps).toEqual(['count', 'body']);
  });

  test.each<[string, Parameters<typeof admitting>[0], new (...args: never[]) => Error]>([
    ['another address', { rules: { authentication, allowedAddresses: ['10.0.0.2'] }, headers: good }, ForbiddenError],
    ['a bot', { rules: { authentication, ignoresBots: true }, headers: { ...good, 'user-agent': 'Slackbot' } }, ForbiddenError],
    [
      'a page of another site',
      { rules: { authentication }, headers: { ...good, origin: 'https://other.example' }, ownHosts: ['own.example'] },
      ForbiddenError,
    ],
    ['a wrong secret', { rules: { authentication }, headers: { 'x-secret': 'x' } }, UnauthorizedRequestError],
    [
      'a request without a signature, at an endpoint that cannot verify signatures',
      { rules: { authentication: signed } },
      UnauthorizedRequestError,
    ],
    [
      'an authorized sender, at a closed endpoint',
      {
        rules: { authentication },
        headers: good,
        assertOpen() {
          throw new AlreadyResumedError();
        },
      },
      AlreadyResumedError,
    ],
  ])('rejects %s without counting the request or reading its body', async (_, request, error) => {
    const { steps, admitted } = admitting(request);
    await expect(admitted()).rejects.toThrow(error);
    expect(steps).not.toContain('count');
    expect(steps).not.toContain('body');
  });

  test('a closed endpoint discloses nothing to unauthorized senders', async () => {
    const assertOpen = () => {
      throw new AlreadyResumedError();
    };
    await expect(admitting({ rules: { authentication }, assertOpen }).admitted()).rejects.toThrow(UnauthorizedRequestError);
  });

  test.each<[string, Error, number]>([
    ['are discarded when the body is rejected', new ValidationError('bad', ''), 1],
    ['are kept when the outcome of the commit is unknown', new UnavailableError('lost'), 0],
  ])('files %s', async (_, error, discards) => {
    const { admit } = admitting();
    let discard = jest.fn();
    const admitted = admit(async (files) => {
      discard = jest.spyOn(files, 'discard') as unknown as typeof discard;
      throw error;
    });
    await expect(admitted).rejects.toThrow(error);
    expect(discard).toHaveBeenCalledTimes(discards);
  });
});

test.each([
  ['10.1.2.3', undefined, true],
  ['10.1.2.3', ['10.0.0.0/8'], true],
  ['::ffff:10.1.2.3', ['10.1.2.3'], true],
  ['11.1.2.3', ['10.0.0.0/8', '10.1.2.3'], false],
  ['2001:db8::1', ['2001:db8::/32'], true],
  ['2001:db9::1', ['2001:db8::/32'], false],
  ['', ['10.0.0.0/8'], false],
  ['not an address', ['0.0.0.0/0'], false],
])('address %j is allowed by %j: %s', (address, allowed, expected) => {
  expect(isAllowedAddress(address, allowed)).toBe(expected);
});

test.each([
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
  ['Slackbot-LinkExpanding 1.0', true],
  ['WhatsApp/2.23', true],
  ['Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', false],
  ['curl/8.5.0', false],
  [undefined, false],
])('%j is a bot: %s', (agent, expected) => {
  expect(isBot(agent)).toBe(expected);
});

test('a body waits for memory until another request is done, even one that failed', async () => {
  const memory = new MemoryBudget({ limit: 100_000_000, inUse: () => 1 });
  const { admit } = admitting({ memory });
  const isSecond = jest.fn();
  const end = Promise.withResolvers<void>();
  const take = async ({ memory }: RequestFiles) => memory?.reserve(30_000_000);
  const first = admit(async (files) => {
    await take(files);
    await end.promise;
    throw new ValidationError('the body is not valid', '');
  });
  const second = admit(take).then(isSecond);
  await new Promise((resolve) => setImmediate(resolve));
  expect(isSecond).not.toHaveBeenCalled();
  end.resolve();
  await expect(first).rejects.toThrow(ValidationError);
  await second;
  expect(memory.isExceeded).toBe(false);
});
