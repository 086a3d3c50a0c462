// A script has `event` and `platform`. In a pre_process script `event.request` is what will be done; in all others
// `event.response` is what was answered. Changes count where the script may modify the event (see below the editor).
const { request, response } = event;
const { session, api } = platform;

console.log(`${request.method} ${request.uri} by ${session.user?.email ?? 'an app'}`); // goes to the log

if (!response) {
  // Before the operation: method, parameters, headers and payload can be changed.
  if (Number(request.parameters.limit) > 1000) {
    throw new Error('Ask for at most 1000 records.'); // a 500; event.setResponse answers with another status
  }
  if (request.method === 'GET') request.parameters.limit ??= 100;
  // This answers without the operation:
  // event.setResponse({ error: { code: 400, message: 'Not like this.' } }, 400);
} else {
  // After it, whether it failed or not: status_code, content, content_type and headers can be changed.
  response.headers['X-Script-Process'] = process.version;
}

// Calls of the API are made as the caller, and fire events as other calls do: this keeps the script from calling itself.
// They are asynchronous: a callback hands what it has to event.setResponse(content, status), event.setRequest or event.setReturn.
if (session.requestor !== 'SCRIPT') {
  api.get('system/environment', { parameters: { fields: '*' } }, (body, answer) => {
    if (answer.statusCode === 200) console.log(`Version ${JSON.parse(body).platform.version}`);
    else console.log(`No environment: ${body}`);
  });
}

// A script service answers with what it returns:
// return { content: { hello: 'world' }, status_code: 200, headers: { 'X-Made-By': 'me' } };
