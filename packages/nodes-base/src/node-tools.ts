/** Functions that node types of other packages share with ours. */

export { docxText, readCsvFile, readPdfPages } from './formats/whole-files.ts';
export { mailContent } from './nodes/email-read-imap/mail-item.ts';
export { addressList, attachedFiles } from './nodes/send-email/read-message.ts';
export { binaryOf, openBinary, readBinary, storeBinaryByType, withFile } from './shared/binary-files.ts';
export { composeMail } from './shared/compose-mail.ts';
export { itemError } from './shared/http/item-error.ts';
export { type FormPart, multipartBody } from './shared/http/multipart-body.ts';
export { responseFileName } from './shared/http/response-file-name.ts';
export { parseJsonText } from './shared/json-file.ts';
export * from './shared/parameters.ts';
export { pause } from './shared/pause.ts';
export { failureOfAllOrThrow, mapItemsAsync } from './shared/per-item-async.ts';
export * from './shared/properties.ts';
export type { ThreadTask } from './threads/thread-messages.ts';
export { runOnThread, runUnlessSmall, type TaskOptions, taskModule } from './threads/work-threads.ts';
