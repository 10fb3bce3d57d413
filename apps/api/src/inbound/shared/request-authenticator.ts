import type { SealedData } from '@sluice/db';
import { assertNever, isAppError, type JsonObject, type RequestAuthentication } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import { type SignatureRule, signatureRule, verifyJwt } from '@sluice/nodes-base/credentials';
import { isSameSecret, type Vault } from '@sluice/vault';
import { UnauthorizedRequestError } from './errors.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A stored credential, and whether the project of the workflow may use it. */
export interface SealedCredential {
  type: string;
  usable: boolean;
  sealed: SealedData;
}

/** Proof by the headers that the sender knows the credential. */
export interface CredentialProof {
  /** Name of the header with the secret, in lower case. */
  secretHeader: string;
  /** Payload of the verified token. */
  jwtPayload?: JsonObject;
}

/** A request whose headers passed authorization; its body is not read yet. */
export interface AuthorizedRequest {
  /** `undefined` without authentication, or if the body has to be signed. */
  proof: CredentialProof | undefined;
  /** How the body has to be signed. The entry must verify it. */
  signature: SignatureRule | undefined;
}

/** Compares requests with the current data of the credential that a node names. Fails closed. */
export class RequestAuthenticator {
  readonly #vault: Vault;
  readonly #logger: Logger;

  constructor({ vault, logger }: { vault: Vault; logger: Logger }) {
    this.#vault = vault;
    this.#logger = logger;
  }

  /**
   * Throws `UnauthorizedRequestError`, also if the credential was deleted, or the project may no
   * longer use it.
   */
  async authenticate(
    authentication: RequestAuthentication,
    credential: SealedCredential | undefined,
    headers: Headers,
    { verifiesSignatures }: { verifiesSignatures?: true },
  ): Promise<AuthorizedRequest> {
    const data = this.#open(authentication, credential);
    if (authentication.type !== 'webhookSignature')
      return { proof: await prove(authentication.type, data, headers), signature: undefined };
    if (!verifiesSignatures) throw new UnauthorizedRequestError();
    return { proof: undefined, signature: ruleOf(data) };
  }

  /** The credential's data. Logs a credential that cannot be opened. */
  #open({ type, credentialId }: RequestAuthentication, credential: SealedCredential | undefined): JsonObject {
    if (credential?.type !== type || !credential.usable) throw new UnauthorizedRequestError();
    try {
      return this.#vault.open({ id: credentialId, type }, credential.sealed);
    } catch (error) {
      if (!isAppError(error) || error.kind === 'transient') throw error;
      this.#logger.warn({ credentialId, code: error.code }, 'requests refused, because their credential cannot be opened');
      throw new UnauthorizedRequestError();
    }
  }
}

/** An incomplete rule would accept unsigned requests, so it accepts no requests. */
function ruleOf(data: JsonObject): SignatureRule {
  try {
    return signatureRule(data);
  } catch {
    throw new UnauthorizedRequestError();
  }
}

async function prove(
  type: Exclude<RequestAuthentication['type'], 'webhookSignature'>,
  data: JsonObject,
  headers: Headers,
): Promise<CredentialProof> {
  const { authorization } = headers;
  switch (type) {
    case 'httpBasicAuth':
      if (isSame(ofBasic(authorization), basicOf(data))) return { secretHeader: 'authorization' };
      throw new UnauthorizedRequestError('Basic realm="workflow", charset="UTF-8"');
    case 'httpBearerAuth':
      if (isSame(bearerOf(authorization), textOf(data['token']))) return { secretHeader: 'authorization' };
      throw new UnauthorizedRequestError('Bearer');
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
    default:
      return assertNever(type);
  }
}

/** The scheme is case-insensitive (RFC 9110). */
function ofBasic(header: string | string[] | undefined): string {
  return String([header ?? ''].flat()[0]).replace(/^basic +/i, 'Basic ');
}

/** Empty without user and password, so it matches nothing. */
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

/** An empty secret matches nothing. */
function isSame(header: string | string[] | undefined, wanted: string): boolean {
  return typeof header === 'string' && wanted !== '' && isSameSecret(header, wanted);
}
