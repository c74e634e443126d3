<?php
// Sends a ping with PHP's streams, and prints the answer: ping.php URL TOKEN CERTS
[, $url, $token, $certs] = $argv;
$context = stream_context_create([
    "ssl" => ["cafile" => "$certs/ca.pem", "local_cert" => "$certs/clients/demo/cert.pem", "local_pk" => "$certs/clients/demo/key.pem"],
    "http" => ["header" => "Authorization: Bearer $token"],
]);
$answer = file_get_contents("$url/v1/ping", false, $context);
if ($answer === false) exit(1);
echo $answer, "\n";
