/**
 * Encrypts and authenticates messages, bound to their channel; `@sluice/vault` implements it.
 * `open` accepts each message once, in its sender's order, and never throws.
 */
export interface MessageSeal {
  seal(channel: string, text: string): Buffer;
  open(channel: string, message: Buffer): { text: string } | { refused: string };
}
