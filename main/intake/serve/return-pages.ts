import type { ReceiverOptions } from '../../callbacks/receiver.ts';
import { returnPage, returnPageKinds, returnPagePolicy } from '../../return-pages/return-page.ts';
import type { IntakeConfig } from '../config/intake-config.ts';

/** Where the return pages are, in the order of the profile's fields. */
export const returnPagePaths = returnPageKinds.map(kind => `/return/${kind}`);

/** The return pages by path; none unless the configuration switches them on. */
export const returnPages = ({
  returnPages: { enabled, merchant },
}: Pick<IntakeConfig, 'returnPages'>): NonNullable<ReceiverOptions['pages']> =>
  new Map(
    enabled
      ? returnPageKinds.map(kind => [
          `/return/${kind}`,
          {
            body: returnPage(kind, merchant),
            headers: {
              'content-type': 'text/html; charset=utf-8',
              'content-security-policy': `${returnPagePolicy}; frame-ancestors 'none'`,
              'x-content-type-options': 'nosniff',
              'referrer-policy': 'no-referrer',
              'cache-control': 'no-store',
            },
          },
        ])
      : [],
  );
