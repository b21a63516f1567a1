package org.example.digits;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Answers which digit an image shows, with the newest version of a model that is being trained. */
@SpringBootApplication
public class DigitsApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(DigitsApplication.class, arguments);
    }
}
