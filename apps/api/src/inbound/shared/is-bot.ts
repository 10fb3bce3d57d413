const bots =
  /bot\b|bot[/\-_]|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegrambot|slack-imgproxy|embedly|bingpreview/i;

/** Whether a `User-Agent` is that of a program that looks at links by itself. */
export function isBot(userAgent: string | string[] | undefined): boolean {
  return [userAgent ?? []].flat().some((text) => bots.test(text));
}
