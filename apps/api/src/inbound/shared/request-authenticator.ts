import { createHash, timingSafeEqual } from 'node:crypto';
import type { SealedData } from '@sluice/db';
import { assertNever, type CallAuthentication, isAppError, type JsonObject } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import { verifyJwt } from '@sluice/nodes-base/credentials';
import type { Vault } from '@sluice/vault';
import { UnauthorizedRequestError } from './errors.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A credential as it is stored, and whether the project of the workflow may use it. */
export interface SealedCredential {
  type: string;
  usable: boolean;
  sealed: SealedData;
}

/** What a call has shown that it knows. */
export interface CredentialProof {
  /** Header that holds the secret, in lower case. */
  secretHeader: string;
  /** What the token of the call says. */
  jwtPayload?: JsonObject;
}

/** Compares what calls bring with the credential that a node names, as it is now. Fails closed. */
export class RequestAuthenticator {
  readonly #vault: Vault;
  readonly #logger: Logger;

  constructor({ vault, logger }: { vault: Vault; logger: Logger }) {
    this.#vault = vault;
    this.#logger = logger;
  }

  /** By the headers alone. Throws `UnauthorizedRequestError`; also when the credential is gone, or not the project's any more. */
  async check(asked: CallAuthentication, credential: SealedCredential | undefined, headers: Headers): Promise<CredentialProof> {
    return prove(asked.type, this.open(asked, credential), headers);
  }

  /** The data of the credential. Throws `UnauthorizedRequestError` for one that cannot be used, which is logged. */
  open({ type, credentialId }: CallAuthentication, credential: SealedCredential | undefined): JsonObject {
    if (credential?.type !== type || !credential.usable) throw new UnauthorizedRequestError();
    try {
      return this.#vault.open({ id: credentialId, type }, credential.sealed);
    } catch (error) {
      if (!isAppError(error) || error.kind === 'transient') throw error;
      this.#logger.warn({ credentialId, code: error.code }, 'calls are refused, since their credential cannot be opened');
      throw new UnauthorizedRequestError();
    }
  }
}

async function prove(type: CallAuthentication['type'], data: JsonObject, headers: Headers): Promise<CredentialProof> {
  const { authorization } = headers;
  switch (type) {
    case 'httpBasicAuth':
      if (isSame(ofBasic(authorization), basicOf(data))) return { secretHeader: 'authorization' };
      throw new UnauthorizedRequestError('Basic realm="workflow", charset="UTF-8"');
    case 'httpHeaderAuth': {
      const secretHeader = textOf(data['name']).toLowerCase();
      if (isSame(headers[secretHeader], textOf(data['value']))) return { secretHeader };
      throw new UnauthorizedRequestError();
    }
    case 'jwtAuth': {
      const jwtPayload = await verifyJwt(data, bearerOf(authorization), Date.now());
      if (jwtPayload) return { secretHeader: 'authorization', jwtPayload };
      throw new UnauthorizedRequestError('Bearer');
    }
    case 'webhookSignature': // of the body, which is not there yet
      throw new UnauthorizedRequestError();
    default:
      return assertNever(type);
  }
}

/** The scheme may be written in any case (RFC 9110). */
function ofBasic(header: string | string[] | undefined): string {
  return String([header ?? ''].flat()[0]).replace(/^basic +/i, 'Basic ');
}

/** Empty where both are. */
function basicOf({ user, password }: JsonObject): string {
  const pair = `${textOf(user)}:${textOf(password)}`;
  return pair === ':' ? '' : `Basic ${Buffer.from(pair).toString('base64')}`;
}

function bearerOf(header: string | string[] | undefined): string {
  return /^Bearer (.+)$/i.exec([header ?? ''].flat()[0] ?? '')?.[1] ?? '';
}

function textOf(value: JsonObject['value'] | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Of equal length by their hashes, so that time tells nothing. An empty secret matches nothing. */
function isSame(given: string | string[] | undefined, wanted: string): boolean {
  if (typeof given !== 'string' || wanted === '') return false;
  return timingSafeEqual(hash(given), hash(wanted));
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
