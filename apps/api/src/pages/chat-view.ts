import type { ChatPage } from '@sluice/domain';
import { chatScript } from './chat-script.ts';
import { html } from './html.ts';
import type { Page } from './send-page.ts';

/** Page of a chat, which sends its messages to its own address. */
export function chatView({ title, subtitle, greetings, placeholder, loadsSession, start, accept, css }: ChatPage): Page {
  const types = accept === undefined || accept.trim() === '*' ? '' : accept;
  const files =
    accept !== undefined &&
    html`<p><label for="files">Files</label><input id="files" type="file" accept="${types}" multiple></p>\n`;
  const button = start !== undefined && html`<p><button id="start" type="button">${start || 'New Conversation'}</button></p>\n`;
  return {
    title: title || 'Chat',
    css,
    script: chatScript,
    body: html`<h1>${title || 'Chat'}</h1>
<p>${subtitle}</p>
${button}<div id="conversation"${button && html` hidden`}>
<div id="log" role="log" data-loads-session="${loadsSession ? 'yes' : 'no'}">${greetings.map((text) => html`<p class="bot">${text}</p>\n`)}</div>
<form id="chat">
<p><label for="message">Message</label><textarea id="message" required placeholder="${placeholder}"></textarea></p>
${files}<button>Send</button>
</form>
</div>
<noscript><p>The chat needs JavaScript.</p></noscript>`,
  };
}
