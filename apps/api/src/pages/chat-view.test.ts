import { expect, test } from '@jest/globals';
import type { Response } from 'express';
import { chatScript } from './chat-script.ts';
import { chatView } from './chat-view.ts';
import { sendPage } from './send-page.ts';

const evil = `"><script>alert(1)</script>'&`;
const page = {
  title: evil,
  subtitle: evil,
  greetings: [evil, 'Hello'],
  placeholder: evil,
  loadsSession: true,
  start: evil,
  accept: evil,
  css: '</style><script>alert(2)</script>',
};

function sent() {
  const headers = new Map<string, string>();
  let text = '';
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    status: () => response,
    type: () => response,
    setTimeout() {},
    send: (body: Buffer) => {
      text = body.toString();
    },
  };
  sendPage(response as unknown as Response, 200, chatView(page));
  return { text, policy: headers.get('Content-Security-Policy') ?? '' };
}

test('text of the author is escaped, and only the script of the page can run', () => {
  const { text, policy } = sent();
  expect(text.match(/<script/g)).toHaveLength(1);
  expect(text).not.toContain('<script>');
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
  expect(nonce).toHaveLength(24);
  expect(text).toContain(`<script nonce="${nonce}">`);
  expect(policy).toContain(`default-src 'none'`);
  expect(policy).toContain(`connect-src 'self'`);
  expect(policy).not.toContain('unsafe');
  expect(sent().policy).not.toContain(nonce);
});

test('the script is valid, cannot close its element, and writes no markup', () => {
  expect(() => new Function(`return async () => {${chatScript}}`)).not.toThrow();
  expect(chatScript).not.toMatch(/<\/|<!--|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval/);
});

test('with a welcome screen, the messages are hidden; without one, they are not', () => {
  const { start: _, ...plain } = page;
  const bodyOf = (more = {}) => chatView({ ...plain, ...more }).body.text;
  expect(bodyOf({ start: 'Go' })).toContain('<button id="start" type="button">Go</button>');
  expect(bodyOf({ start: 'Go' })).toContain('<div id="conversation" hidden>');
  expect(bodyOf()).not.toContain('hidden');
  expect(bodyOf()).not.toContain('id="start"');
});
