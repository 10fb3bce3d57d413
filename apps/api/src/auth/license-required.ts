import { AppError } from '@sluice/domain';
import type { License } from './license.ts';

/** Throws 403 `LICENSE_REQUIRED` without an enterprise license. `feature` is a plural noun. */
export function assertEnterprise(license: License, feature: string): void {
  if (license === 'enterprise') return;
  throw new AppError({ code: 'LICENSE_REQUIRED', message: `${feature} need an enterprise license` });
}
