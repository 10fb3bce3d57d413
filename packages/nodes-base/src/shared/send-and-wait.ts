import {
  type ExecuteContext,
  type FormField,
  type FormPage,
  isJsonObject,
  type JsonObject,
  NodeOperationError,
  type NodeOutput,
  type RequestSuspension,
  type ResumeEvent,
  userKeyed,
} from '@sluice/node-sdk';
import { filesOf } from './binary-files.ts';
import { dateOf, durationOf } from './durations.ts';
import { escapeHtml } from './escape-html.ts';
import { formFields, formMembers } from './form-fields.ts';
import { checkedPage } from './page-length.ts';
import { booleanParameter, choiceParameter, textParameter } from './parameters.ts';
import { passedItem } from './per-item.ts';

/** A link in a message that requests a response. */
export interface ResponseLink {
  label: string;
  url: string;
  style: 'primary' | 'secondary';
}

/** A message that requests a response, and the wait for it. */
export interface Question {
  message: string;
  links: readonly ResponseLink[];
  /** A line that identifies the sender, if the author enables it. */
  attribution?: string;
  suspension: RequestSuspension;
}

/** Maximum length: no service except email accepts longer messages. */
const maxMessageLength = 100_000;
const maxLabelLength = 200;

const responseTypes = ['approval', 'freeText', 'customForm'] as const;
const decision = 'decision';
const answer = 'text';

/**
 * The question in the parameters for the first item: one message for all items. Its links open a
 * page, and only that page acts: programs that open links in messages do not respond.
 */
export function questionOf(context: ExecuteContext, message: string): Question {
  if (message.length > maxMessageLength)
    throw new NodeOperationError(`the message has more than ${maxMessageLength} characters`, {
      itemIndex: 0,
      description: 'Send a shorter message, with a link to the rest',
    });
  const address = context.execution.resumeFormUrl;
  if (address === undefined)
    throw new NodeOperationError('the address of the response page is unknown', {
      itemIndex: 0,
      description: 'Set PUBLIC_URL to the public address of this instance',
    });
  const { page, links } = contentOf(context, message, address);
  checkedPage(page);
  const at = limitOf(context);
  return {
    message,
    links,
    ...(booleanParameter(context, 'options.appendAttribution', 0, false) && { attribution: 'Sent automatically with Sluice' }),
    suspension: {
      kind: 'call',
      call: {
        method: 'POST',
        form: { page, response: { mode: 'onReceived', ending: { kind: 'text' } }, isNextPage: false },
        response: { status: 200, headers: {} },
      },
      ...(at !== undefined && { at }),
    },
  };
}

/**
 * The items after the wait: the response as `data`, or the incoming items if none arrived in time.
 */
export function answeredItems(context: ExecuteContext, event: ResumeEvent): NodeOutput {
  if (event.kind !== 'call') return [context.items().map((item, index) => passedItem(item, index))];
  const { body, binary } = event.request;
  const data = responseIn(context, isJsonObject(body) ? body : {});
  return [[{ json: { data }, ...filesOf(binary), pairedItem: { item: 0 } }]];
}

const typeOf = (context: ExecuteContext) => choiceParameter(context, 'responseType', 0, responseTypes, 'approval');

function responseIn(context: ExecuteContext, body: JsonObject): JsonObject {
  switch (typeOf(context)) {
    case 'approval': {
      const { isDouble, approve } = approvalOf(context);
      return { approved: !isDouble || body[decision] === approve };
    }
    case 'freeText':
      return { text: body[answer] ?? '' };
    case 'customForm':
      return userKeyed(Object.entries(body).filter(([name]) => !formMembers.includes(name)));
  }
}

function contentOf(context: ExecuteContext, message: string, address: string): { page: FormPage; links: ResponseLink[] } {
  if (typeOf(context) === 'approval') return approvalContent(context, message, address);
  const option = (name: string) => textParameter(context, `options.${name}`, 0).trim();
  const fields = typeOf(context) === 'customForm' ? formFields(context, newestForm) : [responseField];
  const css = option('responseFormCustomCss');
  return {
    page: {
      title: option('responseFormTitle') || titleOf(context),
      description: option('responseFormDescription') || asMarkup(message),
      buttonLabel: option('responseFormButtonLabel') || 'Submit',
      fields,
      ...(css !== '' && { css }),
    },
    links: [{ label: option('messageButtonLabel').slice(0, maxLabelLength) || 'Respond', url: address, style: 'primary' }],
  };
}

/** Form Trigger version whose fields have separate names. */
const newestForm = 2.5;

const responseField: FormField = { kind: 'textarea', name: answer, label: 'Response', required: true };

function approvalOf(context: ExecuteContext) {
  const group = 'approvalOptions.values';
  const label = (name: string, fallback: string) =>
    textParameter(context, `${group}.${name}`, 0).slice(0, maxLabelLength).trim() || fallback;
  const style = (name: string, fallback: 'primary' | 'secondary') =>
    choiceParameter(context, `${group}.${name}`, 0, ['primary', 'secondary'], fallback);
  return {
    isDouble: choiceParameter(context, `${group}.approvalType`, 0, ['single', 'double'], 'single') === 'double',
    approve: label('approveLabel', 'Approve'),
    approveStyle: style('buttonApprovalStyle', 'primary'),
    decline: label('disapproveLabel', 'Decline'),
    declineStyle: style('buttonDisapprovalStyle', 'secondary'),
  };
}

/** Each link opens the page with its choice selected; the user confirms it there. */
function approvalContent(context: ExecuteContext, message: string, address: string): { page: FormPage; links: ResponseLink[] } {
  const { isDouble, approve, approveStyle, decline, declineStyle } = approvalOf(context);
  const page = { title: titleOf(context), description: asMarkup(message) };
  if (!isDouble)
    return {
      page: { ...page, buttonLabel: approve, fields: [] },
      links: [{ label: approve, url: address, style: approveStyle }],
    };
  if (approve === decline)
    throw new NodeOperationError('the labels for approving and declining are the same', {
      itemIndex: 0,
      description: 'Change the text of one of them',
    });
  const field: FormField = {
    kind: 'radio',
    name: decision,
    label: 'Decision',
    required: true,
    multiple: false,
    options: [approve, decline],
  };
  const linkTo = (label: string) => `${address}?${new URLSearchParams({ [decision]: label })}`;
  return {
    page: { ...page, buttonLabel: 'Confirm', fields: [field] },
    links: [
      { label: decline, url: linkTo(decline), style: declineStyle },
      { label: approve, url: linkTo(approve), style: approveStyle },
    ],
  };
}

/** The subject of emails; other messages have no subject. */
function titleOf(context: ExecuteContext): string {
  return textParameter(context, 'subject', 0).trim() || 'Your response is needed';
}

/** Text as HTML, with its line breaks. */
function asHtml(text: string): string {
  return escapeHtml(text).replace(/\r?\n/g, '<br>');
}

function limitOf(context: ExecuteContext): number | undefined {
  const group = 'options.limitWaitTime.values';
  if (!isJsonObject(context.parameter(group, 0) ?? null)) return undefined;
  const type = choiceParameter(context, `${group}.limitType`, 0, ['afterTimeInterval', 'atSpecifiedTime'], 'afterTimeInterval');
  if (type === 'atSpecifiedTime') return dateOf(context, `${group}.maxDateAndTime`);
  const names = { amount: `${group}.resumeAmount`, unit: `${group}.resumeUnit` };
  return Date.now() + durationOf(context, names, { amount: 45, unit: 'minutes' });
}

/** A message that may contain markup. */
function asMarkup(message: string): string {
  return /<\/?[a-z][^<>]*>/i.test(message) ? message : asHtml(message);
}

/** Body of an email: the message, and its links as buttons. */
export function questionHtml({ message, links, attribution }: Question): string {
  const buttons = links.map(({ label, url, style }) => {
    const colors = style === 'primary' ? 'background:#1f6feb;color:#fff' : 'background:#eaeef2;color:#24292f';
    const css = `display:inline-block;margin:0 8px 8px 0;padding:10px 16px;border-radius:6px;text-decoration:none;${colors}`;
    return `<a href="${asHtml(url)}" style="${css}">${asHtml(label)}</a>`;
  });
  const end = attribution === undefined ? '' : `<p style="color:#57606a">${asHtml(attribution)}</p>`;
  return `<div>${asMarkup(message)}</div><p>${buttons.join('')}</p>${end}`;
}

/** Text of a message without buttons: its links are lines. */
export function questionText({ message, links, attribution }: Question): string {
  const lines = links.map(({ label, url }) => `${label}: ${url}`);
  return [message, ...lines, ...(attribution === undefined ? [] : [attribution])].join('\n\n');
}
