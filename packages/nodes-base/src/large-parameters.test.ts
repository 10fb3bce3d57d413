import { expect, test } from '@jest/globals';
import type { ExecuteContext, JsonObject } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { graphqlRequest } from './nodes/graphql/graphql-request.ts';
import { readLegacyPlan } from './nodes/http-request/read-legacy-plan.ts';
import { readPlan } from './nodes/http-request/read-plan.ts';
import { webhookResponse } from './nodes/respond-to-webhook/webhook-response.ts';
import { tagHeaders } from './nodes/s3/s3-headers.ts';
import { webAddress } from './shared/form-page.ts';
import { fakeContext } from './testing/fake-context.ts';

/** JSON strings of 15 MB. */
const list = `[${'{},'.repeat(5_000_000)}{}]`;
const object = `{"list":${list}}`;
const url = 'http://a.example/';
const json = { method: 'POST', url, sendBody: true, specifyBody: 'json', jsonBody: list };
const legacy = { requestMethod: 'POST', url, jsonParameters: true, bodyParametersJson: list };
const graphql = { requestMethod: 'POST', endpoint: url, requestFormat: 'json', query: '{ a }', variables: object };

type Read = (context: ExecuteContext) => unknown;

test.each<[string, Read, JsonObject, number]>([
  ['a JSON body of HTTP Request', (context) => readPlan(context, 0), json, 4],
  ['a JSON body in old versions', (context) => readLegacyPlan(context, 0), legacy, 1],
  ['variables of GraphQL', (context) => graphqlRequest(context, 0), graphql, 1.1],
  ['a JSON response', webhookResponse, { respondWith: 'json', responseBody: list }, 1],
])('15 MB of JSON in a parameter never block the event loop: %s', async (_, read, parameters, typeVersion) => {
  const context = fakeContext({ json: [{}], parameters, typeVersion });
  expect(await longestBusy(() => read(context))).toBeLessThan(250);
});

const long = `http://a.example/${'é'.repeat(7_000_000)}`;
const manyTags = { tagsUi: { tagsValues: Array.from({ length: 500_000 }, () => ({ key: 'é', value: 'é' })) } };

test.each<[string, Read, JsonObject]>([
  ['the URL of a redirect', webhookResponse, { respondWith: 'redirect', redirectURL: long }],
  ['the URL after a form', async (context) => webAddress(context, 'redirectUrl'), { redirectUrl: long }],
  ['the tags of a file', async (context) => tagHeaders(context, 0), manyTags],
  ['one long tag', async (context) => tagHeaders(context, 0), { tagsUi: { tagsValues: [{ key: long, value: '' }] } }],
])('a string that is too long is refused before it is encoded: %s', async (_, read, parameters) => {
  const context = fakeContext({ json: [{}], parameters });
  const refused = () => expect(read(context)).rejects.toThrow(/must be .* at most/);
  expect(await longestBusy(refused)).toBeLessThan(250);
});
