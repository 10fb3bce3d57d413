import type { SendMailOptions } from 'nodemailer';

/** The bytes of a message (RFC 5322), with blind copies, as mail APIs expect it. */
export async function composeMail(message: SendMailOptions): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer/index.js');
  const mail = new MailComposer(message).compile();
  mail.keepBcc = true;
  return mail.build();
}
