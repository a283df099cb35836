import type { SandboxFault } from '../../shared/contract/contract.ts';
import type { NumberedProblem } from './operation-requests.ts';

/** A response of the interface's endpoints before it is written: a JSON value, or other text. */
export type Answer = { status: number; headers?: Record<string, string>; json?: unknown; text?: string };

/** A refusal (HTTP 400, not specified in the interface): each problem is `path: text`, or has its number. */
export const refusal = (problems: readonly (string | NumberedProblem)[], status = 400): Answer => ({
  status,
  json: {
    error_code: 0,
    error_message: 'Request data is invalid.',
    errors: problems.map(problem =>
      typeof problem === 'string'
        ? { error_code: 100_000, error_message: problem }
        : { error_code: problem.code, error_message: problem.text },
    ),
  },
});

/** The response of a gateway that fails before it reads the request: nothing is registered. */
export const failBefore = (faults: readonly SandboxFault[]): Answer | null => {
  if (faults.includes('http-500')) return { status: 500, json: { message: 'Internal server error' } };
  if (faults.includes('http-400'))
    return refusal(['order.amount: This value is refused by the fault http-400.']);
  if (faults.includes('redirect'))
    return { status: 302, headers: { location: 'https://elsewhere.example/api/v1/' }, text: '' };
  return null;
};

const garbagePage = '<!doctype html><html><body><h1>Welcome to the gateway</h1></body></html>';

/** The response of a gateway that processed the request but answers incorrectly. */
export const failAfter = (
  faults: readonly SandboxFault[],
  answer: Answer,
  linkPath: string | null,
): Answer => {
  if (faults.includes('garbage'))
    return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, text: garbagePage };
  if (faults.includes('other-shape')) return { status: 200, json: { result: 'ok', data: { state: 1 } } };
  if (faults.includes('plain-http-link') && linkPath !== null)
    return { status: 200, json: { redirect_url: `http://pay.example${linkPath}` } };
  return answer;
};
