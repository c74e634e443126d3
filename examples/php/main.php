<?php

declare(strict_types=1);

require __DIR__ . '/payments_client.php';

foreach (['SANDBOX_URL', 'SANDBOX_CLIENT_ID', 'SANDBOX_CA_FILE', 'SANDBOX_CERT_FILE', 'SANDBOX_KEY_FILE'] as $name) {
    if ((string) getenv($name) === '') {
        fwrite(STDERR, "$name is not set: source certs/clients/demo/client.env, or use `payments-sandbox run --`\n");
        exit(1);
    }
}

/** What this client understood: a line of the answer sheet for `payments-sandbox exam`. */
function answer(array $line): void
{
    $sheet = (string) getenv('SANDBOX_ANSWERS');
    if ($sheet !== '') {
        file_put_contents($sheet, json_encode($line, JSON_THROW_ON_ERROR) . "\n", FILE_APPEND);
    }
}

try {
    $client = new PaymentsClient(
        url: getenv('SANDBOX_URL'),
        clientId: getenv('SANDBOX_CLIENT_ID'),
        caFile: getenv('SANDBOX_CA_FILE'),
        certFile: getenv('SANDBOX_CERT_FILE'),
        keyFile: getenv('SANDBOX_KEY_FILE'),
    );

    $client->ping();
    echo "ping: ok\n";

    try {
        $client->ping(['produceError' => 'true']);
    } catch (ApiError $error) {
        if ($error->errorCode !== 'EXAMPLE_ERROR') {
            throw $error;
        }
        echo "example error: $error->status $error->errorCode\n";
        answer(['error' => ['operation' => 'ping', 'code' => $error->errorCode]]);
    }

    $payouts = iterator_to_array($client->list('/v1/payouts', ['status' => 'PAID']), false);
    echo 'paid payouts: ' . count($payouts) . "\n";
    answer(['list' => 'payouts', 'ids' => array_column($payouts, 'id')]);
} catch (Throwable $error) {
    fwrite(STDERR, "error: {$error->getMessage()}\n");
    exit(1);
}
