import PostalMime, { type Email } from 'postal-mime';

const limits = { maxNestingDepth: 64, maxHeadersSize: 512 * 1024, maxRfc822NestingDepth: 5 };

/** Parses a mail. Rejects if it is nested deeper, or its headers are larger, than in any mail that people write. */
export function readMail({ source }: { source: Uint8Array }): Promise<Email> {
  return PostalMime.parse(source, limits);
}
