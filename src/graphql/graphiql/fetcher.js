// Sends what people run in GraphiQL: one answer as JSON, those of a subscription as server-sent events.

/**
 * A fetcher for GraphiQL. `keyOf` returns the API key of the moment, or an empty text; `onAnswer` is notified of
 * each answer, to notice when the key is refused.
 */
export function createFetcher(keyOf, onAnswer) {
  return async (parameters, { headers = {} } = {}) => {
    const stop = new AbortController();
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json, text/event-stream',
        // No other site's page can send these headers, so that none can act with a visitor's rights. With the
        // second the session counts, where there is no key.
        'x-graphql-yoga-csrf': '1',
        'x-headwater-explorer': '1',
        ...headers,
        ...(keyOf() ? { authorization: `Bearer ${keyOf()}` } : {}),
      },
      body: JSON.stringify(asItStands(parameters)),
      signal: stop.signal,
    });
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) return answersOf(response.body, stop, onAnswer);
    const answer = type.includes('json')
      ? await response.json()
      : { errors: [{ message: `The server answered ${response.status}, which is no JSON.` }] };
    onAnswer(answer);
    return answer;
  };
}

/** Right after a change of tabs GraphiQL names the operation of the one before. */
function asItStands({ operationName, ...rest }) {
  const isThere = new RegExp(`\\b(?:query|mutation|subscription)\\s+${operationName}\\b`);
  return isThere.test(rest.query) ? { operationName, ...rest } : rest;
}

/** The answers in a stream of events, each as it comes. */
function answersOf(body, stop, onAnswer) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const waiting = [];
  let text = '';
  let ended = false;

  async function next() {
    while (waiting.length === 0 && !ended) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value.replaceAll('\r\n', '\n');
      const blocks = text.split('\n\n');
      text = blocks.pop();
      for (const block of blocks) take(block);
    }
    if (waiting.length === 0) return { done: true, value: undefined };
    return { done: false, value: waiting.shift() };
  }

  function take(block) {
    const lines = block.split('\n');
    if (lines.includes('event: complete')) ended = true;
    const data = lines
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trim())
      .join('\n');
    if (!data || ended) return;
    const answer = JSON.parse(data);
    onAnswer(answer);
    waiting.push(answer);
  }

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => next().catch((error) => (ended ? { done: true, value: undefined } : raise(error))),
    // A generator would only stop at its next event; this one hangs up at once.
    async return() {
      ended = true;
      stop.abort();
      return { done: true, value: undefined };
    },
  };
}

function raise(error) {
  throw error;
}
