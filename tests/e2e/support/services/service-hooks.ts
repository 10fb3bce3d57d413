import { messageHooks } from './hooks/message-hooks.ts';
import { salesHooks } from './hooks/sales-hooks.ts';
import type { ServiceHook } from './hooks/service-hook.ts';
import { workHooks } from './hooks/work-hooks.ts';

/** Service → its trigger and an action. */
export const serviceHooks: Readonly<Record<string, ServiceHook>> = { ...messageHooks, ...salesHooks, ...workHooks };
