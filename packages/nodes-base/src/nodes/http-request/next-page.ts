import {
  type ExecuteContext,
  isJsonObject,
  type JsonValue,
  NodeOperationError,
  parseJson,
  withFormFields,
} from '@sluice/node-sdk';
import { parseFieldPath, withField } from '../../shared/field-path.ts';
import { plainText } from '../../shared/http/text-values.ts';
import { describeValue, wrongParameter } from '../../shared/parameters.ts';
import { endlessPages, type Pagination, paginationPath } from './pagination.ts';
import type { PlannedBody, RequestPlan } from './request-plan.ts';

/** Variables of pagination expressions, in addition to those of the expression language. */
export type PageNames = Record<string, JsonValue>;

/** The request for a page; `undefined` if there are no more pages. */
export async function pagePlan(
  context: ExecuteContext,
  itemIndex: number,
  { mode }: Pagination,
  first: RequestPlan,
  previous: RequestPlan | undefined,
  names: PageNames,
): Promise<RequestPlan | undefined> {
  if (mode === 'updateAParameterInEachRequest') return updated(first, await changes(context, itemIndex, names), itemIndex);
  if (!previous) return first;
  const next = await context.evaluate(`${paginationPath}.nextURL`, itemIndex, names);
  if (next === undefined || next === null || next === '' || next === false) return undefined;
  return atUrl(first, previous, next, itemIndex);
}

interface Change {
  type: 'qs' | 'headers' | 'body';
  name: string;
  value: JsonValue;
}

/** Parameters without a value, which are common on the first page, change nothing. */
async function changes(context: ExecuteContext, itemIndex: number, names: PageNames): Promise<Change[]> {
  const path = `${paginationPath}.parameters.parameters`;
  const entries = (await context.evaluate(path, itemIndex, names)) ?? [];
  return [entries].flat().flatMap((entry): Change[] => {
    if (!isJsonObject(entry)) throw wrongParameter(path, 'a list of objects', entry, itemIndex);
    const { type = 'qs', name = '', value } = entry;
    if (type !== 'qs' && type !== 'headers' && type !== 'body') {
      throw wrongParameter(`${path}.type`, 'one of qs, headers, body', type, itemIndex);
    }
    if (typeof name !== 'string' || name.trim() === '' || value === undefined || value === null) return [];
    return [{ type, name: name.trim(), value }];
  });
}

async function updated(first: RequestPlan, list: readonly Change[], itemIndex: number): Promise<RequestPlan> {
  const plan = { ...first };
  for (const { type, name, value } of list) {
    if (type === 'headers') plan.headers = withHeader(plan, name, plainText(value));
    else if (type === 'body') plan.body = await withBodyField(plan.body, name, value, itemIndex);
    else {
      plan.query = [...plan.query.filter(([parameter]) => parameter !== name), [name, value]];
      plan.url = withoutQuery(plan.url, name);
    }
  }
  return plan;
}

function withHeader({ headers, keepHeaderCase }: RequestPlan, name: string, value: string): [string, string][] {
  const others = headers.filter(([headerName]) => headerName.toLowerCase() !== name.toLowerCase());
  return [...others, [keepHeaderCase ? name : name.toLowerCase(), value]];
}

async function withBodyField(
  body: PlannedBody | undefined,
  name: string,
  value: JsonValue,
  itemIndex: number,
): Promise<PlannedBody> {
  switch (body?.kind) {
    case undefined:
      return { kind: 'json', value: withField({}, parseFieldPath(name), value) };
    case 'json':
      if (isJsonObject(body.value)) return { kind: 'json', value: withField(body.value, parseFieldPath(name), value) };
      break;
    case 'text':
      return withTextField(body, name, value, itemIndex);
    case 'form':
      return { kind: 'form', fields: [...body.fields.filter(([fieldName]) => fieldName !== name), [name, value]] };
    case 'multipart':
      return {
        kind: 'multipart',
        parts: [...body.parts.filter((part) => part.name !== name), { name, value: plainText(value) }],
      };
    default:
  }
  throw noFields(itemIndex);
}

async function withTextField(
  body: Extract<PlannedBody, { kind: 'text' }>,
  name: string,
  value: JsonValue,
  itemIndex: number,
): Promise<PlannedBody> {
  if (body.contentType === 'application/x-www-form-urlencoded') {
    return { ...body, text: await withFormFields(body.text, [[name, plainText(value)]]) };
  }
  const json = body.contentType === 'application/json' ? ((await parseJson(body.text)) as JsonValue) : null;
  if (isJsonObject(json)) return { kind: 'json', value: withField(json, parseFieldPath(name), value) };
  throw noFields(itemIndex);
}

function noFields(itemIndex: number): NodeOperationError {
  return new NodeOperationError('pagination cannot change this body: it is neither a JSON object nor a form', {
    itemIndex,
    description: 'Send the body as JSON object or form, or put the page into the query',
  });
}

/**
 * The same request to the URL of the next page, which may be relative. The author's parameters that
 * are missing in its query are added, unless it is at another origin: a parameter may be a key.
 */
function atUrl(first: RequestPlan, previous: RequestPlan, next: JsonValue, itemIndex: number): RequestPlan {
  const url = typeof next === 'string' ? URL.parse(next.trim(), URL.parse(previous.url)?.href) : null;
  if (!url)
    throw new NodeOperationError(`the URL of the next page is ${describeValue(next)}`, {
      itemIndex,
      description: 'Check the expression for the next URL against the response for a page',
    });
  if (url.href === URL.parse(previous.url)?.href)
    throw endlessPages('the next page is the same as the previous page', itemIndex);
  const isLacking = (name: string) => !url.searchParams.has(name) && !url.searchParams.has(`${name}[]`);
  const isSameOrigin = url.origin === URL.parse(first.url)?.origin;
  return { ...first, url: url.href, query: first.query.filter(([name]) => isSameOrigin && isLacking(name)) };
}

function withoutQuery(text: string, name: string): string {
  const url = URL.parse(text);
  if (!url?.searchParams.has(name)) return text;
  url.searchParams.delete(name);
  return url.href;
}
