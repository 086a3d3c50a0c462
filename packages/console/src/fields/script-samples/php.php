// A script has $event and $platform. In a pre_process script $event['request'] is what will be done; in all others
// $event['response'] is what was answered. Changes count where the script may modify the event (see below the editor).
$request = &$event['request'];
$session = $platform['session'];
$api = $platform['api'];

echo $request['method'], ' ', $request['uri'], ' by ', $session['user']['email'] ?? 'an app', "\n"; // goes to the log

if (!isset($event['response'])) {
    // Before the operation: method, parameters, headers and payload can be changed.
    if (($request['parameters']['limit'] ?? 0) > 1000) {
        throw new BadRequestException('Ask for at most 1000 records.'); // a 400; other exceptions are a 500
    }
    if ($request['method'] === 'GET') {
        $request['parameters']['limit'] ??= 100;
    }
    // This answers without the operation:
    // $event['response'] = ['status_code' => 200, 'content' => ['resource' => []]];
} else {
    // After it, whether it failed or not: status_code, content, content_type and headers can be changed.
    $count = $platform['store']->get('count', 0) + 1; // kept for 15 minutes, for all runs of this script
    $platform['store']->set('count', $count);
    $event['response']['headers']['X-Script-Count'] = (string) $count;
}

// Calls of the API are made as the caller, and fire events as other calls do: this keeps the script from calling itself.
if ($session['requestor'] !== 'SCRIPT') {
    $answer = $api->get('system/environment', null, ['parameters' => ['fields' => '*']]);
    if (isset($answer['content']['error'])) {
        echo 'No environment: ', $answer['content']['error']['message'], "\n";
    } else {
        echo 'Version ', $answer['content']['platform']['version'], "\n";
    }
}

// A script service answers with what it returns:
// return ['content' => ['hello' => 'world'], 'status_code' => 200, 'headers' => ['X-Made-By' => 'me']];
