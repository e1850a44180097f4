// Spans of requests, by OpenTelemetry's conventions.

import type { RequestTask, SentAnswer } from './request.ts';

const firstFault = 500;
const fault = 'INTERNAL_SERVER_ERROR';

/** End the span of a request whose answer is sent, or whose client went away before. */
export function endSpan(request: RequestTask, answer: SentAnswer): void {
  const { span, method, part, subject, operation } = request;
  if (!span) return;
  const status = answer.headersSent ? answer.statusCode : null;
  const [first] = request.errors.keys();
  span.end({
    name: subject ?? method,
    attributes: {
      'http.request.method': method,
      ...(status === null ? {} : { 'http.response.status_code': status }),
      ...(part === 'rest' && subject ? { 'http.route': subject.slice(method.length + 1) } : {}),
      ...(part === 'graphql' && operation ? { 'graphql.operation.name': operation } : {}),
      ...(first ? { 'error.type': first } : {}),
      ...(request.userId ? { 'user.id': request.userId } : {}),
      'headwater.request.id': request.id,
      'headwater.request.statements': request.statements,
      'headwater.request.rows': request.rows,
    },
    isFault: (status ?? 0) >= firstFault || request.errors.has(fault),
  });
}
