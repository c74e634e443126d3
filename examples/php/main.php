<?php

declare(strict_types=1);

require __DIR__ . '/payments_client.php';

foreach (['SANDBOX_URL', 'SANDBOX_CLIENT_ID', 'SANDBOX_CA_FILE', 'SANDBOX_CERT_FILE', 'SANDBOX_KEY_FILE'] as $name) {
    if ((string) getenv($name) === '') {
        fwrite(STDERR, "$name is not set: source certs/clients/demo/client.env, or use `payments-sandbox run --`\n");
        exit(1);
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
    }

    $payouts = iterator_to_array($client->list('/v1/payouts', ['status' => 'PAID']), false);
    echo 'paid payouts: ' . count($payouts) . "\n";
} catch (Throwable $error) {
    fwrite(STDERR, "error: {$error->getMessage()}\n");
    exit(1);
}
