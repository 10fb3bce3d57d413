import { isJsonObject, type JsonObject, type JsonValue, optionalCredentialText, ownProperty } from '@sluice/node-sdk';
import { list, text } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Operation, type Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { onePage } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developers.home-assistant.io/docs/api/rest/ */
const client = new ApiClient({
  service: 'Home Assistant',
  credentialType: 'homeAssistantApi',
  baseUrl: (credential) => {
    const scheme = ownProperty(credential, 'ssl') === true ? 'https' : 'http';
    const port = asText(ownProperty(credential, 'port') ?? 8123);
    const address = `${scheme}://${optionalCredentialText(credential, 'host').trim()}:${port}`;
    return `${URL.parse(address)?.origin ?? address}/api`;
  },
});

const part = (item: ServiceItem, path: string) => encodeURIComponent(item.required(path).trim());

const attributes = (name: string, displayName: string) =>
  list(name, displayName, 'attributes', [
    text('name', 'Name', 'Name of the attribute'),
    text('value', 'Value', 'Value of the attribute; an expression keeps its type', { acceptsAnyValue: true }),
  ]);

const attributesOf = (item: ServiceItem, name: string): JsonObject =>
  Object.fromEntries(
    item
      .entries(`${name}.attributes`)
      .flatMap((one): [string, JsonValue][] => (one['name'] ? [[asText(one['name']), one['value'] ?? '']] : [])),
  );

/** Lists in a single response. */
const listing = (description: string, path: string): Operation => ({
  displayName: 'Get Many',
  description,
  properties: listPropertiesOf(),
  run: (item) => item.list({ path }, onePage()),
});

const entityId = text('entityId', 'Entity ID', 'ID of the entity, such as `light.kitchen`', { required: true });

const state: Resource = {
  displayName: 'State',
  initial: 'get',
  operations: {
    upsert: {
      displayName: 'Create or Update',
      description: 'Sets the state of an entity in Home Assistant, without controlling its device',
      properties: [
        entityId,
        text('state', 'State', 'The state, such as `on`', { required: true }),
        attributes('stateAttributes', 'State Attributes'),
      ],
      run: (item) =>
        item.send({
          path: `/states/${part(item, 'entityId')}`,
          json: { state: item.required('state'), attributes: attributesOf(item, 'stateAttributes') },
        }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets the state of an entity',
      properties: [entityId],
      run: (item) => item.send({ path: `/states/${part(item, 'entityId')}` }),
    },
    getAll: listing('Lists the states of all entities', '/states'),
  },
};

const service: Resource = {
  displayName: 'Service',
  initial: 'getAll',
  operations: {
    call: {
      displayName: 'Call',
      description: 'Calls a service, such as `turn_on` of the domain `light`',
      properties: [
        text('domain', 'Domain', 'Domain of the service, such as `light`', { required: true }),
        text('service', 'Service', 'Name of the service, such as `turn_on`', { required: true }),
        attributes('serviceAttributes', 'Service Attributes'),
      ],
      async run(item) {
        const path = `/services/${part(item, 'domain')}/${part(item, 'service')}`;
        const changed = await item.send({ path, json: attributesOf(item, 'serviceAttributes') });
        const states = [changed ?? []].flat().filter(isJsonObject);
        return states.length > 0 ? states : { success: true };
      },
    },
    getAll: listing('Lists the services of all domains', '/services'),
  },
};

const config: Resource = {
  displayName: 'Config',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets the configuration',
      properties: [],
      run: (item) => item.send({ path: '/config' }),
    },
    check: {
      displayName: 'Check',
      description: 'Checks the configuration files',
      properties: [],
      run: (item) => item.send({ method: 'POST', path: '/config/core/check_config' }),
    },
  },
};

const template: Resource = {
  displayName: 'Template',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Renders a Home Assistant template',
      properties: [text('template', 'Template', 'The template, in the language of Home Assistant', { required: true })],
      run: async (item) => ({
        renderedTemplate: (await item.send({ path: '/template', json: { template: item.required('template') } })) ?? '',
      }),
    },
  },
};

/** Reads and controls a home. */
export const homeAssistant = defineService({
  displayName: 'Home Assistant',
  name: 'home-assistant',
  version: 1,
  description: 'Reads states and calls services of Home Assistant',
  credentials: [{ name: 'homeAssistantApi', required: true }],
  icon: 'fa:home',
  iconColor: 'blue',
  client,
  resources: {
    config,
    event: { displayName: 'Event', operations: { getAll: listing('Lists the event types', '/events') } },
    service,
    state,
    template,
  },
});
