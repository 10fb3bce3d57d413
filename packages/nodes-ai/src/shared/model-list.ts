import {
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MethodContext,
  type NodeMethods,
  NodeOperationError,
  type NodeProperty,
  type NodePropertyOption,
  optionalCredentialText,
  ownProperty,
  parseJson,
} from '@sluice/node-sdk';
import { text, when } from '@sluice/nodes-base/node-tools';

/** Where a provider lists its models. */
export interface ModelList {
  credential: string;
  /** URL of the list. */
  url(data: JsonObject): string;
  /**
   * Path of the member with the models: a list, or an object whose keys are the IDs. Default:
   * `data`.
   */
  member?: string;
  /** Name and ID of a model; `undefined` if it has another purpose. Default: member `id`. */
  option?(model: JsonObject): NodePropertyOption | undefined;
}

/** Longest wait for a list, in milliseconds. */
const timeoutMs = 20_000;

/** A base URL from a credential field, without trailing slashes. */
export function baseUrl(data: JsonObject, field: string, publicAddress = ''): string {
  let url = optionalCredentialText(data, field, publicAddress).trim();
  while (url.endsWith('/')) url = url.slice(0, -1);
  return url;
}

/** A parameter with the ID of a model, plain or in a resource locator. */
export function modelProperty(name: string, fallback: string, more: Partial<NodeProperty> = {}): NodeProperty {
  return text(name, 'Model', 'The model: from the list, or by its ID', {
    default: fallback,
    acceptsAnyValue: true,
    typeOptions: { searchListMethod: 'getModels' },
    ...more,
  });
}

/** Name of a model parameter, and its default, which may depend on the node version. */
export interface ModelParameter {
  name?: string;
  fallback: string | ((typeVersion: number) => string);
}

/** Default model of a version. */
export const defaultModel = ({ fallback }: ModelParameter, typeVersion: number): string =>
  typeof fallback === 'string' ? fallback : fallback(typeVersion);

/** The model parameter: a property for each default that versions have. */
export function modelProperties(model: ModelParameter, versions: readonly number[], hasList: boolean): NodeProperty[] {
  const versionsOf = Map.groupBy(versions, (version) => defaultModel(model, version));
  return [...versionsOf].map(([fallback, same]) =>
    modelProperty(model.name ?? 'model', fallback, {
      ...(!hasList && { typeOptions: {} }),
      ...(versionsOf.size > 1 && when(same)),
    }),
  );
}

/** The ID in such a parameter. */
export function modelIdOf(context: ExecuteContext, itemIndex: number, name: string, fallback: string, what = 'model'): string {
  const model = context.parameter<JsonValue>(name, itemIndex, fallback);
  const id = isJsonObject(model) ? ownProperty(model, 'value') : model;
  if (typeof id === 'string' && id.trim() !== '') return id.trim();
  throw new NodeOperationError(`no ${what} is chosen`, { itemIndex, description: `Choose one, or write its ID` });
}

/**
 * Editor methods that list a provider's models. A function returns the list for the node's
 * parameters.
 */
export function modelMethods(list: ModelList | ((context: MethodContext) => ModelList)): NodeMethods {
  const listed = (context: MethodContext) => listedModels(context, typeof list === 'function' ? list(context) : list);
  return {
    loadOptions: { getModels: listed },
    listSearch: {
      getModels: async (context, filter = '') => {
        const wanted = filter.toLowerCase();
        const models = await listed(context);
        return { results: models.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted)) };
      },
    },
  };
}

/** Maximum list length that is read, and maximum number of models that are shown. */
const maxResponseBytes = 8 * 1024 * 1024;
const maxModels = 10_000;

async function listedModels(context: MethodContext, list: ModelList): Promise<NodePropertyOption[]> {
  const { credential, url, member = 'data', option = byId } = list;
  const request = {
    method: 'GET',
    url: url(await context.credentials(credential)),
    headers: { accept: 'application/json' },
    authentication: await context.authentication(credential),
    timeoutMs,
    maxResponseBytes,
  };
  const { status, body } = await context.http.request(request, context.signal);
  if (status !== 200)
    throw new NodeOperationError(`the service returned no list: status ${status}`, {
      description: 'Check the credential, or write the ID',
    });
  const models = member.split('.').reduce<JsonValue>(memberOf, await parsed(body));
  const listed = isJsonObject(models) ? Object.keys(models).map((id) => ({ id })) : [models].flat();
  const options = listed.slice(0, maxModels).flatMap((model) => (isJsonObject(model) ? (option(model) ?? []) : []));
  return options.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const memberOf = (value: JsonValue, name: string): JsonValue =>
  (isJsonObject(value) ? ownProperty(value, name) : undefined) ?? [];

async function parsed(body: Uint8Array): Promise<JsonObject> {
  try {
    const value = (await parseJson(new TextDecoder().decode(body))) as JsonValue;
    return isJsonObject(value) ? value : {};
  } catch (error) {
    throw new NodeOperationError('the list from the service is not JSON', {
      description: 'Check the base URL of the credential',
      cause: error,
    });
  }
}

const byId = ({ id }: JsonObject): NodePropertyOption | undefined =>
  typeof id === 'string' ? { name: id, value: id } : undefined;
