import { escapeHtml } from '../pages/html.ts';

export interface Result {
  title: string;
  /** Plain text; may contain text of users and services. */
  message: string;
}

/** Page for a user who returns from a service. No scripts, no styles, no links. */
export function resultPage({ title, message }: Result): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(message)}</p>
</body>
</html>
`;
}
