/**
 * Script of the chat page. Shows text only with `textContent`, so that no message can contain
 * markup. It sends messages to the address of the page and reads responses whole or as a stream of
 * JSON lines.
 */
export const chatScript = String.raw`
const ids = ['chat', 'log', 'message', 'files', 'start', 'conversation'];
const [form, log, box, files, start, conversation] = ids.map((id) => document.getElementById(id));
const address = location.href.split(/[?#]/)[0];
const sessionId = readSession();
/** Where the next message goes, while an execution waits for it. */
let replyTo;

function readSession() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const fresh = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  try {
    const name = 'chat ' + location.pathname;
    const known = localStorage.getItem(name);
    if (known) return known;
    localStorage.setItem(name, fresh);
  } catch {
    // Storage is blocked: the session ends with the page.
  }
  return fresh;
}

function show(kind, text) {
  const line = document.createElement('p');
  line.className = kind;
  line.textContent = text;
  log.append(line);
  line.scrollIntoView({ block: 'end' });
  return line;
}

async function post(body, to = address) {
  const headers = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  const response = await fetch(to, { method: 'POST', headers, body });
  // The execution no longer waits: the message starts another one.
  if (to !== address && (response.status === 404 || response.status === 409)) return post(body);
  if (!response.ok) throw new Error('status ' + response.status);
  return response;
}

/** On the origin of the page, whose policy allows no other. */
function setReply(url) {
  replyTo = typeof url === 'string' ? new URL(url, location.href).pathname : undefined;
}

function messageOf(text) {
  if (!files || files.files.length === 0) return JSON.stringify({ action: 'sendMessage', sessionId, chatInput: text });
  const data = new FormData();
  for (const [name, value] of Object.entries({ action: 'sendMessage', sessionId, chatInput: text })) data.append(name, value);
  for (const file of files.files) data.append('files', file);
  return data;
}

function textOf(answer) {
  let value = answer;
  try {
    value = JSON.parse(answer);
  } catch {
    return answer;
  }
  if (Array.isArray(value)) value = value[0];
  const text = value?.output ?? value?.text ?? value?.message ?? value ?? '';
  return typeof text === 'string' ? text : JSON.stringify(text, null, 2);
}

function chunkOf(line) {
  try {
    const chunk = JSON.parse(line);
    return chunk && chunk.metadata && typeof chunk.type === 'string' ? chunk : undefined;
  } catch {
    return undefined;
  }
}

function resumeUrlOf(answer) {
  try {
    return JSON.parse(answer)?.resumeUrl;
  } catch {
    return undefined;
  }
}

async function readAnswer(response) {
  let line = show('bot', '');
  let ended = false;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let [whole, pending, isStream] = ['', '', false];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    whole += value;
    pending += value;
    for (let end = pending.indexOf('\n'); end >= 0; end = pending.indexOf('\n')) {
      const chunk = chunkOf(pending.slice(0, end));
      pending = pending.slice(end + 1);
      if (!chunk) continue;
      isStream = true;
      if (chunk.type === 'error') throw new Error('the workflow failed');
      if (chunk.type === 'begin' && ended) line = show('bot', '');
      if (chunk.type === 'item') line.textContent += textOf(JSON.stringify(chunk.content));
      if (chunk.type === 'end') {
        ended = true;
        if (chunk.metadata.resumeUrl) setReply(chunk.metadata.resumeUrl);
      }
    }
  }
  if (!isStream) line.textContent = textOf(whole);
  if (!isStream) setReply(resumeUrlOf(whole));
  line.scrollIntoView({ block: 'end' });
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const text = box.value.trim();
  if (text === '') return;
  const body = messageOf(text);
  show('user', text);
  form.reset();
  const button = form.querySelector('button');
  button.disabled = true;
  try {
    const to = replyTo;
    replyTo = undefined;
    await readAnswer(await post(body, to));
  } catch (error) {
    show('error', 'There is no answer: ' + error.message);
  } finally {
    button.disabled = false;
    box.focus();
  }
});

box.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  if (!form.querySelector('button').disabled) form.requestSubmit();
});

/** Ends the welcome screen, if there is one. */
function begin() {
  if (!start) return;
  start.hidden = true;
  conversation.hidden = false;
}

if (start) {
  start.addEventListener('click', () => {
    begin();
    box.focus();
  });
}

if (log.dataset.loadsSession === 'yes') {
  post(JSON.stringify({ action: 'loadPreviousSession', sessionId }))
    .then((response) => response.json())
    .then(({ data = [] }) => {
      if (data.length > 0) begin();
      for (const { id = [], kwargs = {} } of data) show(id.includes('HumanMessage') ? 'user' : 'bot', String(kwargs.content ?? ''));
    })
    .catch(() => show('error', 'Earlier messages cannot be loaded.'));
}
`;
