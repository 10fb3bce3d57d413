import { createHmac } from 'node:crypto';
import type { JsonObject, JsonValue } from '@sluice/domain';
import type { ApiServer } from '@sluice/nodes-services/testing';
import type { SentRequest } from '../service-requests.ts';

/** The node after a trigger, with its expected request and output. */
export interface FollowingAction {
  /** Node type. Default: the node of the service. */
  type?: string;
  parameters: JsonObject;
  /** Expected request. */
  request: SentRequest;
  /** Expected output. */
  items: readonly JsonObject[];
}

/** The registration that a service has for a workflow. */
export interface Registration {
  url?: string | undefined;
  secret?: string | undefined;
}

/** A service that sends its events to a registered URL. */
export interface ServiceHook {
  /** Credential type → its data. */
  credentials: Readonly<Record<string, JsonObject>>;
  /** Default: the parameters of the example. */
  parameters?: JsonObject;
  /**
   * Makes the servers accept a registration, and returns it. Absent if users register the URL
   * themselves.
   *
   * @param reach sends a request to a public URL and resolves to the response.
   */
  register?(servers: readonly ApiServer[], reach: (url: string) => Promise<string>): Registration;
  event: JsonObject;
  /** Headers of the delivery of an event. */
  headers(event: string, registration: Registration): Record<string, string>;
  /** Whether an event is sent as a form. */
  isForm?: boolean;
  /** Whether deliveries have IDs, so that a repeated delivery counts once. */
  hasIds: boolean;
  action: FollowingAction;
}

export const hmac = (secret: string | undefined, text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', secret ?? '')
    .update(text)
    .digest(encoding);
export const seconds = () => String(Math.floor(Date.now() / 1_000));

/**
 * An HTTP Request node with the credential type of a trigger, for services without an action node.
 */
export const httpRequest = (credentialType: string, url: string, more: JsonObject = {}) => ({
  type: 'http-request',
  parameters: { url, authentication: 'predefinedCredentialType', nodeCredentialType: credentialType, ...more },
});

type Routes = Readonly<Record<'list' | 'create' | 'remove', string>>;
interface RegistrationApi {
  routes: Routes;
  /** Reads the URL and the secret from the body of a registration. */
  read(body: JsonObject): Registration;
  created?: { status?: number; json?: JsonValue };
  removed?: { status?: number; json?: JsonValue };
  /** The list of registrations. A registration in it has been disabled or changed. */
  listed(url: string | undefined): JsonValue;
}

/** Makes a server create, list, and remove one registration. */
export const acceptRegistration =
  ({ routes, read, created = {}, removed = { status: 204 }, listed }: RegistrationApi) =>
  ([server]: readonly ApiServer[]): Registration => {
    const registration: Registration = {};
    server?.on(routes.create, ({ body }) => {
      Object.assign(registration, read(body as JsonObject));
      return created;
    });
    server?.on(routes.list, () => ({ json: listed(registration.url) }));
    server?.on(routes.remove, () => {
      registration.url = undefined;
      return removed;
    });
    return registration;
  };

export const listOf = (url: string | undefined, one: JsonObject): JsonObject[] => (url === undefined ? [] : [one]);
export const textIn = (body: JsonObject, name: string): string => String(body[name] ?? '');
