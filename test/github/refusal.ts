/** An answer of GitHub's that is no success, in its own words. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    { errors, headers = {} }: { readonly errors?: readonly object[]; readonly headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.body = { message, ...(errors && { errors }), documentation_url: DOCUMENTATION, status: String(status) };
  }
}

const DOCUMENTATION = 'https://docs.github.com/rest';

export function validationFailed(resource: string, field: string, code: string, message?: string): Refusal {
  return new Refusal(422, 'Validation Failed', { errors: [{ resource, field, code, ...(message && { message }) }] });
}
