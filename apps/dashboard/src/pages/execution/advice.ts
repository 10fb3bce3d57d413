interface Problem {
  status: string;
  message: string;
  name?: string;
  code?: string;
  description?: string;
}

/** Kinds of failures, by words in their messages, with advice. The first match applies. */
const kinds: readonly { words: RegExp; advice: string }[] = [
  {
    words: /\bHTTP_BLOCKED\b/,
    advice: 'Change the address and retry with the newest version, or let the operator allow it and restart the service.',
  },
  {
    words: /\b(401|403|unauthorized|forbidden|invalid (api )?key|authentication|credential)/i,
    advice: 'Test the credential of the node, and check what it may do. Then retry.',
  },
  {
    words: /\b(429|rate limit|too many requests)/i,
    advice: 'The other service limits requests. Retry later, or turn on “Retry on fail” with a wait.',
  },
  {
    words: /\b(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|socket|network|connect)/i,
    advice:
      'The other service could not be reached. Check its address. Once it responds, retry; “Retry on fail” does this by itself.',
  },
  {
    words: /\b(time ?out|timed out|deadline)/i,
    advice: 'It took too long. Reduce the data or raise the timeout in the settings, then retry.',
  },
  {
    words: /\b(5\d\d|internal server error|bad gateway|service unavailable)\b/i,
    advice: 'The other service failed. Retry later.',
  },
  {
    words: /\b(expression|is not defined|cannot read|undefined)/i,
    advice:
      'Compare the expression or code with the input below: a value that it needs is absent. Fix it, then retry with the newest version.',
  },
  {
    words: /\b(memory|too large|limit)/i,
    advice: 'The data is larger than allowed. Process it in batches, or raise the limit.',
  },
];

/** Advice for a failed execution. */
export function adviceFor({ status, message, name = '', code = '', description = '' }: Problem): string {
  if (status === 'crashed') {
    return 'The worker ended while it ran this execution. Retry it; if it crashes again, look at the log and the memory of the worker.';
  }
  if (status === 'canceled') return 'It was stopped. Retry continues with the node that had not ended.';
  const text = `${name} ${code} ${message} ${description}`;
  return (
    kinds.find(({ words }) => words.test(text))?.advice ??
    'Look at the input of the node below. Fix the node or its data in the editor, then retry with the newest version.'
  );
}
