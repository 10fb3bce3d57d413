import PostalMime, { type Email } from 'postal-mime';

const limits = { maxNestingDepth: 64, maxHeadersSize: 512 * 1024, maxRfc822NestingDepth: 5 };

/**
 * Parses a mail. Rejects if its nesting depth or header size exceeds that of any realistic mail.
 */
export function readMail({ source }: { source: Uint8Array }): Promise<Email> {
  return PostalMime.parse(source, limits);
}
